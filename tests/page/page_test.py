# SPDX-License-Identifier: Apache-2.0
"""The page that `thiessen render` writes, in a headless Chromium: what a click tells is what the rasters hold, the
table sorts, layers and zoom work, and the console stays empty.

usage: python tests/page/page_test.py COMMAND FOLDER     screenshots and the page itself are left in FOLDER
"""

import pathlib
import subprocess
import sys
import unittest

import numpy as np
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

SITES = 40
WIDTH, HEIGHT = 300, 200
# It must stay text.
EVIL = '</script><script>window.broken = 1</script><img src=x onerror="window.broken = 1">'
command = folder = None


def run(*arguments):
    subprocess.run([command, *map(str, arguments)], cwd=folder, check=True)


def make_page(name, *arguments):
    run(
        "render",
        "--labels",
        "labels.npy",
        "--distance",
        "distance.npy",
        "-o",
        name,
        "--overwrite",
        *arguments,
    )


def setUpModule():
    folder.mkdir(parents=True, exist_ok=True)
    run("voronoi", "--random", SITES, "--size", f"{WIDTH}x{HEIGHT}", "--seed", 4, "--max-distance", 40,
        "--labels", "labels.npy", "--distance", "distance.npy", "--overwrite")  # fmt: skip
    names = [
        f'{i},"{EVIL.replace(chr(34), chr(34) * 2) if i == 1 else f"Well {i}"}"'
        for i in range(1, SITES)
    ]
    (folder / "names.csv").write_text("\n".join(["label,name", *names]) + "\n")
    make_page("page.html", "--names", "names.csv", "--title", f"Wells & {EVIL}", "--contours", "10", "--unit", "m",
              "--cell-size", "1")  # fmt: skip


class Page(unittest.TestCase):
    size = (1400, 900)
    features = ()

    @classmethod
    def setUpClass(cls):
        options = webdriver.ChromeOptions()
        # Chromium refuses its sandbox to root, who runs tests in containers.
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.driver = webdriver.Chrome(
            options=options, service=webdriver.ChromeService("/usr/bin/chromedriver")
        )
        cls.labels = np.load(folder / "labels.npy")
        cls.distance = np.load(folder / "distance.npy")

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()

    def setUp(self):
        self.open()

    def tearDown(self):
        self.assertEqual(
            [entry for entry in self.driver.get_log("browser") if entry["level"] != "INFO"], []
        )

    def open(self, name="page.html", size=(1400, 900), scheme="light"):
        self.driver.set_window_size(*size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.driver.get((folder / name).as_uri())
        WebDriverWait(self.driver, 20).until(
            lambda d: d.execute_script("return document.body.dataset.ready")
        )

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def stack(self):
        """Left, top, width and height of the picture in the window."""
        script = "const b = document.getElementById('stack').getBoundingClientRect(); return [b.x, b.y, b.width, b.height]"
        return self.driver.execute_script(script)

    def click_cell(self, row, column):
        left, top, width, height = self.stack()
        x, y = left + (column + 0.5) * width / WIDTH, top + (row + 0.5) * height / HEIGHT
        action = ActionChains(self.driver)
        action.w3c_actions.pointer_action.move_to_location(round(x), round(y)).click()
        action.perform()

    def answer(self):
        return self.find("#answer")

    def column(self, number):
        return [
            cell.text
            for cell in self.driver.find_elements(By.CSS_SELECTOR, f"#sites td:nth-child({number})")
        ]

    def shot(self, name):
        self.driver.save_screenshot(str(folder / name))

    def test_a_click_tells_what_the_rasters_hold(self):
        # A cell is larger than a pixel, so that rounding keeps it. The buttons cover the upper right corner.
        some = np.random.default_rng(1).integers((0, 0), (HEIGHT, WIDTH - 40), (25, 2)).tolist()
        for row, column in [*some, [0, 0], [HEIGHT - 1, WIDTH - 1]]:
            with self.subTest(row=row, column=column):
                self.click_cell(row, column)
                answer, label = self.answer(), int(self.labels[row, column])
                self.assertIn(f"column {column}, row {row}", answer.text)
                self.assertEqual(answer.get_attribute("data-label"), str(label) if label else "")
                told = answer.get_attribute("data-distance").replace("Infinity", "inf")
                self.assertEqual(np.float32(told), self.distance[row, column])
        self.shot("click.png")

    def test_far_cells_have_no_site(self):
        row, column = map(int, np.argwhere(self.labels == 0)[0])
        self.click_cell(row, column)
        self.assertIn("No site, distance out of reach", self.answer().text)

    def test_names_stay_text(self):
        self.assertIsNone(self.driver.execute_script("return window.broken"))
        self.assertEqual(self.find("h1").text, f"Wells & {EVIL}")
        self.assertEqual(self.column(1)[0], EVIL)

    def test_the_table_holds_what_the_rasters_do_and_sorts(self):
        cells = np.bincount(self.labels.ravel(), minlength=SITES + 1)[1:]
        self.assertEqual(self.column(3), [f"{count:,}" for count in cells])
        heads = self.driver.find_elements(By.CSS_SELECTOR, "#sites th button")
        heads[2].click()
        self.assertEqual(self.column(3), [f"{count:,}" for count in sorted(cells, reverse=True)])
        self.assertEqual(
            self.find("#sites th:nth-child(3)").get_attribute("aria-sort"), "descending"
        )
        heads[2].click()
        self.assertEqual(self.column(3), [f"{count:,}" for count in sorted(cells)])
        heads[0].click()
        self.assertEqual(
            self.column(1)[-3:], ["Well 37", "Well 38", "Well 39"]
        )  # as numbers, not as letters
        heads[4].click()
        farthest = [float(text) for text in self.column(5)]
        self.assertEqual(farthest, sorted(farthest, reverse=True))

    def test_a_search_finds_sites(self):
        self.find("#filter").send_keys("well 2")
        self.assertEqual(self.column(2), ["2", *map(str, range(20, 30))])
        self.assertEqual(self.find("#shown").text, "11 of 40 sites")

    def test_a_row_of_the_table_shows_its_site(self):
        self.find("#sites tbody tr:nth-child(7)").click()
        self.assertEqual(self.answer().get_attribute("data-label"), "7")
        self.assertEqual(self.find("#sites tr.chosen td:nth-child(2)").text, "7")
        self.assertFalse(self.find("#chosen").get_attribute("hidden"))

    def test_layers_come_and_go(self):
        names = [
            box.get_attribute("name")
            for box in self.driver.find_elements(By.CSS_SELECTOR, "#layers [type=checkbox]")
        ]
        self.assertEqual(names, ["cells", "distance", "contours", "edges"])
        for name in names:
            image, box = self.find(f"img[data-layer={name}]"), self.find(f"#layers [name={name}]")
            self.assertTrue(
                self.driver.execute_script("return arguments[0].naturalWidth === 1600", image)
            )
            for _ in range(2):
                box.click()
                self.assertEqual(image.is_displayed(), box.is_selected())
        self.find("#layers [name=distance]").click()
        self.assertTrue(self.find("#ramp").is_displayed())
        self.shot("distance.png")

    def test_it_zooms_and_moves(self):
        whole = self.stack()
        self.find("#zoom-in").click()
        self.assertAlmostEqual(self.stack()[2] / whole[2], 1.5, 3)
        self.find("#map").send_keys("++")
        self.assertAlmostEqual(self.stack()[2] / whole[2], 1.5**3, 3)
        left = self.stack()[0]
        self.find("#map").send_keys(Keys.ARROW_LEFT)
        self.assertAlmostEqual(self.stack()[0], left + 60, 1)
        self.find("#map").send_keys(Keys.ENTER)
        self.assertNotEqual(self.answer().get_attribute("data-distance"), None)
        self.shot("zoomed.png")
        # A drag moves the map, and is no click.
        before, told = self.stack(), self.answer().text
        ActionChains(self.driver).drag_and_drop_by_offset(self.find("#map"), 50, 20).perform()
        self.assertAlmostEqual(self.stack()[0] - before[0], 50, 1)
        self.assertEqual(self.answer().text, told)
        self.find("#map").send_keys("-")
        self.assertLess(self.stack()[2], before[2])
        self.find("#fit").click()
        for now, then in zip(self.stack(), whole, strict=True):
            self.assertAlmostEqual(now, then, 1)

    def test_the_wheel_zooms_to_the_cell_beneath(self):
        width = self.stack()[2]
        ActionChains(self.driver).scroll_from_origin(
            webdriver.common.actions.wheel_input.ScrollOrigin.from_element(
                self.find("#map"), -100, 0
            ),
            0,
            -400,
        ).perform()
        self.assertGreater(self.stack()[2], 2 * width)

    def test_it_loads_nothing(self):
        script = "return performance.getEntriesByType('resource').filter(e => !e.name.startsWith('data:')).length"
        self.assertEqual(self.driver.execute_script(script), 0)

    def test_it_looks_right_in_the_dark_and_when_narrow(self):
        self.open(scheme="dark")
        self.find("#sites tbody tr:nth-child(12)").click()
        self.shot("dark.png")
        self.open(size=(500, 1200))
        self.assertLessEqual(
            self.driver.execute_script("return document.documentElement.scrollWidth - innerWidth"),
            0,
        )
        self.shot("narrow.png")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.rsplit("\n\n", 1)[1].strip())
    command, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=sys.argv[:1])
