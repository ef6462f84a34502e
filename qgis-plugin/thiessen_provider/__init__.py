# SPDX-License-Identifier: Apache-2.0
"""A Processing provider of QGIS for the command `thiessen`."""


def classFactory(iface):  # the name that QGIS calls
    from .plugin import ThiessenPlugin

    return ThiessenPlugin()
