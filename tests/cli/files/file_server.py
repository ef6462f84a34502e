#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Serves the files of a folder by HTTP for tests, whole or in the parts that GDAL asks for.

file_server.py FOLDER

Prints its port.
"""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", span=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if span is not None:
            self.send_header("Content-Range", span)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self):
        path = os.path.join(sys.argv[1], self.path.lstrip("/"))
        if not os.path.isfile(path):
            return self.answer(404)
        with open(path, "rb") as file:
            body = file.read()
        asked = self.headers.get("Range", "")
        if not asked.startswith("bytes="):
            return self.answer(200, body)
        first, last = asked.removeprefix("bytes=").split("-")
        first, last = int(first), min(int(last or len(body)), len(body) - 1)
        if first > last:
            return self.answer(416)
        return self.answer(206, body[first : last + 1], f"bytes {first}-{last}/{len(body)}")

    do_HEAD = do_GET


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
