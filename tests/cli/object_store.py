#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A store of objects for tests: so much of the protocol of S3 as GDAL uses.

    object_store.py FOLDER

Prints its port, and serves the objects FOLDER/BUCKET/NAME. What requests come is written to
FOLDER/requests, a line each. Buckets whose names begin with one of these words behave so:

    refuse   takes no objects (403)
    full     takes the first object only
    silent   tells nothing about its objects (403), but takes them
    gone     is none (404)
    slow     reads no upload to its end as long as there is the file FOLDER/hold; once an upload has
             begun there is the file FOLDER/begun
"""

import os
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape

ROOT = os.path.abspath(sys.argv[1])
LOCK = threading.Lock()
UPLOADS = {}  # the parts of each


def file_of(key):
    return os.path.join(ROOT, key)


def keys_below(prefix):
    keys = []
    for folder, _, names in os.walk(ROOT):
        keys += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names]
    return sorted(key for key in keys if key.startswith(prefix))


def store(key, body):
    path = file_of(key)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".part", "wb") as file:
        file.write(body)
    os.replace(path + ".part", path)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if not any(name == "Content-Length" for name, _ in headers):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuse(self, code="AccessDenied", status=403):
        body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>No.</Message></Error>"
        self.answer(status, body.encode())

    def parse(self):
        url = urllib.parse.urlsplit(self.path)
        self.key = urllib.parse.unquote(url.path).lstrip("/")
        self.query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        self.bucket = self.key.split("/")[0]
        with LOCK, open(file_of("requests"), "a", encoding="utf-8") as file:
            file.write(f"{self.command} {self.path}\n")

    def body(self):
        """The body of a request; None if the other side has gone away."""
        if self.bucket.startswith("slow"):
            open(file_of("begun"), "w").close()
            while os.path.exists(file_of("hold")):
                time.sleep(0.01)
        if self.headers.get("Transfer-Encoding") == "chunked":
            return self.chunks()
        length = int(self.headers.get("Content-Length", 0))
        bytes_read = self.rfile.read(length)
        return bytes_read if len(bytes_read) == length else None

    def chunks(self):
        body = b""
        while True:
            line = self.rfile.readline()
            if not line:
                return None
            size = int(line, 16)
            chunk = self.rfile.read(size + 2)
            if len(chunk) < size + 2:
                return None
            if size == 0:
                return body
            body += chunk[:-2]

    def list(self):
        """The objects whose names go on from a prefix, and the folders among them."""
        prefix = self.query.get("prefix", "")
        start = self.key.rstrip("/") + "/"
        entries = {}
        for key in keys_below(start + prefix):
            name = key[len(start) :]
            rest = name[len(prefix) :]
            if "/" in rest:
                folder = escape(prefix + rest.split("/")[0] + "/")
                entries[folder] = f"<CommonPrefixes><Prefix>{folder}</Prefix></CommonPrefixes>"
            else:
                entries[name] = (
                    f"<Contents><Key>{escape(name)}</Key>"
                    f"<Size>{os.path.getsize(file_of(key))}</Size>"
                    "<LastModified>2020-01-01T00:00:00.000Z</LastModified></Contents>"
                )
        answer = f"<ListBucketResult><Prefix>{escape(prefix)}</Prefix>{''.join(entries.values())}"
        self.answer(200, (answer + "</ListBucketResult>").encode())

    def do_GET(self):
        self.parse()
        if self.bucket.startswith("silent"):
            return self.refuse()
        if self.bucket.startswith("gone"):
            return self.refuse("NoSuchBucket", 404)
        if "/" not in self.key.rstrip("/") or "prefix" in self.query:
            return self.list()
        path = file_of(self.key)
        if not os.path.isfile(path):
            return self.refuse("NoSuchKey", 404)
        with open(path, "rb") as file:
            body = file.read()
        headers = [("ETag", '"1"'), ("Content-Length", str(len(body)))]
        spans = self.headers.get("Range", "")
        if not spans.startswith("bytes="):
            return self.answer(200, body, headers)
        first, last = (spans[6:].split("-") + [""])[:2]
        first, last = int(first), min(int(last or len(body)), len(body) - 1)
        if first > last:
            return self.refuse("InvalidRange", 416)
        part = body[first : last + 1]
        span = f"bytes {first}-{last}/{len(body)}"
        return self.answer(206, part, [("ETag", '"1"'), ("Content-Range", span)])

    do_HEAD = do_GET

    def takes(self):
        if self.bucket.startswith("refuse"):
            return False
        return not (self.bucket.startswith("full") and keys_below(self.bucket + "/"))

    def do_PUT(self):
        self.parse()
        body = self.body()
        if body is None:
            self.close_connection = True
            return None
        if not self.takes():
            return self.refuse()
        if "uploadId" in self.query:
            UPLOADS[self.query["uploadId"]][int(self.query["partNumber"])] = body
            return self.answer(200, headers=[("ETag", '"1"')])
        store(self.key, body)
        return self.answer(200, headers=[("ETag", '"1"')])

    def do_POST(self):
        self.parse()
        self.body()
        if not self.takes():
            return self.refuse()
        if "uploads" in self.query:
            upload = str(len(UPLOADS) + 1)
            UPLOADS[upload] = {}
            answer = f"<InitiateMultipartUploadResult><UploadId>{upload}</UploadId>"
            return self.answer(200, (answer + "</InitiateMultipartUploadResult>").encode())
        parts = UPLOADS.pop(self.query["uploadId"])
        store(self.key, b"".join(body for _, body in sorted(parts.items())))
        return self.answer(200, b"<CompleteMultipartUploadResult/>")

    def do_DELETE(self):
        self.parse()
        if "uploadId" in self.query:
            UPLOADS.pop(self.query["uploadId"], None)
        elif os.path.isfile(file_of(self.key)):
            os.unlink(file_of(self.key))
        return self.answer(204)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """Says nothing of those who go away."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def main():
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


main()
