# SPDX-License-Identifier: Apache-2.0
"""What QGIS loads: it adds the provider to Processing, and takes it away again."""

from qgis.core import QgsApplication

from .provider import ThiessenProvider


class ThiessenPlugin:
    def __init__(self):
        self.provider = None

    def initProcessing(self):
        """Called alone where there is no window, as by `qgis_process`."""
        self.provider = ThiessenProvider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):
        self.initProcessing()

    def unload(self):
        QgsApplication.processingRegistry().removeProvider(self.provider)
