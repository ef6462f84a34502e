# SPDX-License-Identifier: Apache-2.0
"""The provider: its algorithms, its setting, and the formats that the command writes."""

from pathlib import Path

from processing.core.ProcessingConfig import ProcessingConfig, Setting
from qgis.core import QgsProcessingProvider, QgsRuntimeProfiler
from qgis.PyQt.QtGui import QIcon

from .algorithms.allocation import Allocation
from .algorithms.cost_distance import CostDistance
from .algorithms.cost_table import CostTable
from .algorithms.least_cost_corridor import LeastCostCorridor
from .algorithms.least_cost_network import LeastCostNetwork
from .algorithms.least_cost_paths import LeastCostPaths
from .algorithms.proximity import Proximity
from .algorithms.region_statistics import RegionStatistics
from .algorithms.voronoi_polygons import VoronoiPolygons
from .command import COMMAND_SETTING, find_command


class ThiessenProvider(QgsProcessingProvider):
    def id(self):
        return "thiessen"

    def name(self):
        return "thiessen"

    def longName(self):
        return "thiessen: exact Voronoi diagrams and distances"

    def icon(self):
        return QIcon(str(Path(__file__).with_name("icon.svg")))

    def load(self):
        with QgsRuntimeProfiler.profile("thiessen"):
            ProcessingConfig.settingIcons[self.name()] = self.icon()
            ProcessingConfig.addSetting(
                Setting(
                    self.name(),
                    COMMAND_SETTING,
                    "The command thiessen (empty: that of PATH)",
                    "",
                    valuetype=Setting.FILE,
                )
            )
            ProcessingConfig.readSettings()
            self.refreshAlgorithms()
        return True

    def unload(self):
        ProcessingConfig.removeSetting(COMMAND_SETTING)

    def loadAlgorithms(self):
        for algorithm in (
            Allocation,
            CostDistance,
            CostTable,
            LeastCostCorridor,
            LeastCostNetwork,
            LeastCostPaths,
            Proximity,
            RegionStatistics,
            VoronoiPolygons,
        ):
            self.addAlgorithm(algorithm())

    def warningMessage(self):
        if find_command() is None:
            return "The command thiessen is not in PATH; its place is a setting of this provider."
        return ""

    def supportedOutputVectorLayerExtensions(self):
        return ["gpkg", "geojson", "fgb", "shp"]

    def supportedOutputRasterLayerExtensions(self):
        return ["tif"]

    def supportedOutputTableExtensions(self):
        return ["gpkg", "csv"]

    def defaultVectorFileExtension(self, hasGeometry=True):
        return "gpkg"

    def defaultRasterFileExtension(self):
        return "tif"

    def supportsNonFileBasedOutput(self):
        return False
