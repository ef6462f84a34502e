# SPDX-License-Identifier: Apache-2.0
"""What the plugin gives the command of each layer: a part of its file, or a copy of what QGIS shows."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
from inputs import CELLS, cells, features, write_points, write_raster
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsExpression,
    QgsField,
    QgsProcessingFeatureSourceDefinition,
    QgsRasterLayer,
)
from qgis.PyQt.QtCore import QVariant
from thiessen_provider import sources
from window import OTHER, POINTS, Case, add, argument, arguments_of, memory_layer, run, vector


class Layers(Case):
    """What the command reads of a layer: a part of its file, or a copy of what QGIS shows."""

    @classmethod
    def setUpClass(cls):
        several = write_points("several.gpkg", POINTS, layer="first")
        write_points(None, POINTS[:4], layer=OTHER, into=several)
        write_points(None, POINTS[:5], layer="a|b", into=several)
        write_raster("bands.tif", np.arange(3.0).reshape(3, 1, 1) + np.eye(CELLS))
        Path("table.csv").write_text(
            "x,y,shop\n" + "".join(f"{x},{y},{i}\n" for i, (x, y) in enumerate(POINTS))
        )

    def sites(self, layer, **parameters):
        """The file of the sites, and the names of its shops if it is a copy."""
        path = argument("allocation", "--sites", INPUT=layer, GRID="cost.tif", **parameters)
        file = path.partition("|")[0]
        if Path(file).resolve().parent == Path().resolve():
            return path
        self.assertEqual(path, file)
        return [fields["shop"] for fields, _ in features(file)]

    def test_layers_of_a_file_by_name(self):
        for source, part in (
            ("several.gpkg", "several.gpkg|layername=first"),
            ("several.gpkg|layerid=1", f"several.gpkg|layername={OTHER}"),
            (f"several.gpkg|layername={OTHER}", f"several.gpkg|layername={OTHER}"),
            ("shops.gpkg", "shops.gpkg"),
            ("shops.gpkg|layername=points", "shops.gpkg|layername=points"),
        ):
            self.assertEqual(self.sites(source), part)
            self.assertEqual(self.sites(vector(source)), part)
            self.assertEqual(self.sites(add(vector(source)).id()), part)

    def test_all_vector_inputs(self):
        part = f"several.gpkg|layername={OTHER}"
        words = arguments_of(
            "leastcostpaths", INPUT=part, STARTS=part, BARRIERS=part, WALLS=part, COST="cost.tif", OUTPUT="unused.gpkg",
        )  # fmt: skip
        for flag in ("--sites", "--paths-from", "--barriers", "--walls"):
            self.assertEqual(words[words.index(flag) + 1], part)
        self.assertEqual(
            argument("allocation", "--mask", INPUT=part, MASK="town.geojson"), "town.geojson"
        )
        for flag in ("--layer", "--mask-layer"):
            self.assertNotIn(flag, words)

    def test_results_of_a_layer_by_name(self):
        run("voronoipolygons", INPUT=f"several.gpkg|layername={OTHER}", OUTPUT="part.gpkg")
        self.assertEqual([fields["shop"] for fields, _ in features("part.gpkg")],
                         [f"Shop {i}" for i in range(4)])  # fmt: skip

    def test_bands(self):
        self.assertEqual(
            argument("proximity", "--input", INPUT="bands.tif", BAND=3), "bands.tif|band=3"
        )
        self.assertEqual(
            argument("allocation", "--sites", INPUT="bands.tif", BAND=2), "bands.tif|band=2"
        )
        self.assertEqual(argument("allocation", "--sites", INPUT="people.tif"), "people.tif")
        words = arguments_of(
            "costdistance", INPUT="shops.gpkg", COST="bands.tif", COST_BAND=2, ELEVATION="bands.tif",
            ELEVATION_BAND=3,
        )  # fmt: skip
        self.assertEqual(words[words.index("--cost") + 1], "bands.tif|band=2")
        self.assertEqual(words[words.index("--elevation") + 1], "bands.tif|band=3")

    def test_results_of_a_band(self):
        run("proximity", INPUT="bands.tif", BAND=1, VALUES="1", OUTPUT="band.tif")
        np.testing.assert_array_equal(cells("band.tif") == 0, np.eye(CELLS) == 1)
        run("costdistance", INPUT="shops.gpkg", COST="bands.tif", COST_BAND=2, OUTPUT="band-2.tif")
        self.assertTrue(np.isfinite(cells("band-2.tif")).all())

    def test_filtered_layers(self):
        self.assertEqual(
            self.sites("several.gpkg|layername=first|subset=shop='Shop 3'"), ["Shop 3"]
        )
        shops = add(vector())
        shops.setSubsetString("staff >= 26")
        self.assertEqual(self.sites(shops), ["Shop 23", "Shop 24"])
        path = argument(
            "costdistance", "--barriers", INPUT="shops.gpkg", COST="cost.tif", BARRIERS=shops
        )
        self.assertEqual(len(features(path)), 2)

    def test_selected_features(self):
        shops = add(vector())
        shops.selectByExpression("staff in (7, 9, 4)")
        three = ["Shop 1", "Shop 4", "Shop 6"]
        self.assertEqual(self.sites(shops), "shops.gpkg")
        self.assertEqual(self.sites(shops, SELECTED_ONLY=True), three)
        definition = QgsProcessingFeatureSourceDefinition(shops.id(), True)
        self.assertEqual(self.sites(definition), three)
        path = argument("leastcostpaths", "--paths-from", INPUT="shops.gpkg", COST="cost.tif",
                        STARTS=definition, OUTPUT="unused.gpkg")  # fmt: skip
        self.assertEqual(len(features(path)), 3)

    def test_extent_of_selected_features(self):
        layer = add(memory_layer([(500000, 5600000), (500100, 5600050), (501000, 5601000)]))
        layer.selectByIds([1, 2])
        for parameters in (
            {"INPUT": layer, "SELECTED_ONLY": True},
            {"INPUT": QgsProcessingFeatureSourceDefinition(layer.id(), True)},
        ):
            words = arguments_of("allocation", BUFFER=0, **parameters)
            self.assertIn("--bounds=500000.0,5600000.0,500100.0,5600050.0", words)

    def test_layers_that_are_no_files(self):
        everyone = [f"Shop {i}" for i in range(11)]
        self.assertEqual(self.sites(memory_layer()), everyone)
        table = Path("table.csv").resolve().as_uri()
        rows_of_table = vector(f"{table}?xField=x&yField=y&crs=EPSG:32631", "t", "delimitedtext")
        self.assertEqual(list(map(int, self.sites(rows_of_table))), list(range(11)))
        add(memory_layer()).setName("m")
        self.assertEqual(self.sites(vector("?query=select * from m", "v", "virtual")), everyone)
        self.assertEqual(self.sites("several.gpkg|layerid=2"), everyone[:5])  # its name holds a |

    def test_what_QGIS_shows_and_the_file_has_not(self):
        shops = add(vector())
        self.assertTrue(shops.startEditing())
        shops.deleteFeature(1)
        self.assertEqual(len(self.sites(shops)), 24)
        shops.rollBack()
        shops.setCrs(QgsCoordinateReferenceSystem("EPSG:32632"))
        self.assertEqual(len(self.sites(shops)), 25)
        computed = add(vector())
        computed.addExpressionField("staff % 5", QgsField("five", QVariant.Int))
        words = arguments_of("allocation", INPUT=computed, LABEL_FIELD="five")
        self.assertEqual(words[words.index("--label-field") + 1], "five")
        copy = features(words[words.index("--sites") + 1])
        self.assertEqual([fields["five"] for fields, _ in copy], [i % 5 for i in range(3, 28)])

    def test_archives_and_one_geometry_type(self):
        shutil.make_archive("archive", "zip", ".", "shops.gpkg")
        archive = Path("archive.zip").resolve()
        self.assertEqual(len(self.sites(vector(f"/vsizip/{archive}/shops.gpkg"))), 25)
        Path("mixed.geojson").write_text(
            '{"type": "FeatureCollection", "features": ['
            '{"type": "Feature", "properties": {"shop": "a"}, "geometry": {"type": "Point", "coordinates": [3, 50]}},'
            '{"type": "Feature", "properties": {"shop": "b"}, "geometry": '
            '{"type": "LineString", "coordinates": [[3, 50], [4, 51]]}}]}'
        )
        self.assertEqual(self.sites("mixed.geojson|geometrytype=LineString"), ["b"])

    def test_layers_in_another_reference_system(self):
        # The command takes them to the grid of other layers, but not to that of a raster of sites.
        write_raster("sites.tif", np.eye(CELLS))
        gdal.VectorTranslate("town-4326.gpkg", "town.geojson", dstSRS="EPSG:4326")
        gdal.VectorTranslate("starts-4326.gpkg", "starts.gpkg", dstSRS="EPSG:4326")
        for system in ("", "-4326"):
            town = f"town{system}.{'gpkg' if system else 'geojson'}"
            run(
                "allocation", INPUT="sites.tif", MASK=town, EXTRA="--output-nodata -1", OUTPUT=f"mask{system}.tif"
            )  # fmt: skip
            run(
                "costdistance",
                INPUT="sites.tif",
                COST="cost.tif",
                BARRIERS=town,
                OUTPUT=f"barriers{system}.tif",
            )
            run(
                "leastcostpaths", INPUT="sites.tif", COST="cost.tif", STARTS=f"starts{system}.gpkg",
                OUTPUT=f"paths{system}.gpkg",
            )  # fmt: skip
            run(
                "allocation",
                INPUT="shops.gpkg",
                GRID="cost.tif",
                MASK=town,
                OUTPUT=f"points{system}.tif",
            )
        for name in ("mask", "barriers", "points"):
            # Corners on the edge of a cell may come to lie in its neighbour.
            same = np.isclose(cells(f"{name}-4326.tif"), cells(f"{name}.tif"), 0.01, equal_nan=True)
            self.assertGreater(same.mean(), 0.995)
        self.assertEqual(len(features("paths-4326.gpkg")), len(features("paths.gpkg")))

    def test_files_without_a_reference_system(self):
        gdal.VectorTranslate("nowhere.shp", "shops.gpkg")
        Path("nowhere.prj").unlink()
        words = arguments_of("allocation", INPUT="nowhere.shp")
        self.assertEqual(words[words.index("--sites") + 1], "nowhere.shp")
        self.assertNotIn("--transform", words)

    def test_numbers_of_features_are_those_of_the_file(self):
        shops = add(vector())
        shops.setSubsetString("staff in (26, 27)")
        run("voronoipolygons", INPUT=shops, GRID="cost.tif", OUTPUT="numbers.gpkg")
        self.assertEqual([fields["source_fid"] for fields, _ in features("numbers.gpkg")], [24, 25])

    def test_copies_have_all_features_in_their_order(self):
        layer = memory_layer(fields=[QgsField("fid", QVariant.Int)])
        for i in range(11):
            layer.dataProvider().changeAttributeValues({i + 1: {0: 7 - i // 2}})
        self.assertEqual(self.sites(layer), [f"Shop {i}" for i in range(11)])

    def test_labels_by_the_number_of_a_feature(self):
        words = arguments_of("allocation", INPUT="shops.gpkg", LABEL_FIELD="fid")
        copy = features(words[words.index("--sites") + 1])
        self.assertEqual([fields["fid"] for fields, _ in copy], list(range(1, 26)))
        run("allocation", INPUT="shops.gpkg", LABEL_FIELD="fid", GRID="cost.tif", OUTPUT="fid.tif")
        self.assertEqual(sorted(np.unique(cells("fid.tif"))), list(range(1, 26)))

    def test_label_fields_in_quotes_and_capitals(self):
        layer = memory_layer(fields=[QgsField("two words", QVariant.Int)])
        for text, field in (
            ("two words", "two words"),
            (QgsExpression.quotedColumnRef("two words"), "two words"),
            ("SHOP", "shop"),
        ):
            label = argument("allocation", "--label-field", INPUT=layer, LABEL_FIELD=text)
            self.assertEqual(label, field)

    def test_parts_of_raster_files(self):
        gdal.Translate("parts.nc", "people.tif", format="netCDF")
        gdal.Translate("parts.gpkg", "people.tif", format="GPKG", outputType=gdal.GDT_Byte)
        here = Path().resolve()
        for source in (
            f'NETCDF:"{here}/parts.nc":Band1',
            f"GPKG:{here}/parts.gpkg:parts",
            "parts.gpkg",
        ):
            layer = add(QgsRasterLayer(source, "part"))
            path = argument("proximity", "--input", INPUT=layer).partition("|")[0]
            self.assertTrue(path.endswith(".tif"), path)
            copy = cells(path)
            people = cells("people.tif")
            np.testing.assert_array_equal(copy if copy.ndim == 2 else copy[0], people)
        layer = add(QgsRasterLayer("people.tif", "people"))
        layer.setCrs(QgsCoordinateReferenceSystem("EPSG:32632"))
        path = argument("allocation", "--sites", INPUT=layer)
        self.assertEqual(QgsRasterLayer(path, "copy").crs().authid(), "EPSG:32632")

    def test_files_on_the_network(self):
        url = "/vsicurl/https://localhost:1/people.tif"
        self.assertTrue(sources.is_on_network(url))
        self.assertTrue(sources.is_on_network("/vsizip//vsicurl/https://localhost:1/people.zip"))
        self.assertFalse(sources.is_on_network("/vsizip/archive.zip/shops.gpkg"))
        self.assertFalse(sources.is_on_network("people.tif"))
        self.assertIn(
            "--allow-remote", arguments_of("proximity", INPUT="people.tif", OUTPUT="/vsis3/b/n.tif")
        )
        self.assertNotIn("--allow-remote", arguments_of("proximity", INPUT="people.tif"))

    def test_results_of_a_file_on_the_network(self):
        Path("store/bucket").mkdir(parents=True, exist_ok=True)
        shutil.copy("people.tif", "store/bucket")
        program = Path(__file__).parents[1] / "cli/files/file_server.py"
        server = subprocess.Popen(
            ["/usr/bin/python3", "-u", program, "store"], stdout=subprocess.PIPE, text=True
        )
        try:
            port = server.stdout.readline().strip()
            name = f"/vsicurl/http://127.0.0.1:{port}/bucket/people.tif"
            layer = QgsRasterLayer(name, "people")
            self.assertEqual(argument("allocation", "--sites", INPUT=layer), name)
            run("allocation", INPUT=layer, MAX_DISTANCE=0, OUTPUT="remote.tif")
        finally:
            server.kill()
            server.communicate()
        np.testing.assert_array_equal(cells("remote.tif"), cells("people.tif"))
