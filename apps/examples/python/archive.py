"""Calls of a day and their recordings, by the OpenAPI document of the service and the standard library alone.

    CALL_MEDIA_BASE_URL=... CALL_MEDIA_API_KEY=... python3 archive.py 2026-03-02
"""

import base64
import hashlib
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request


class Archive:
    """The operations of the document by their operationId."""

    def __init__(self, base_url, api_key):
        self.base_url = base_url.rstrip("/")
        self.headers = {"Authorization": f"Bearer {api_key}", "User-Agent": "archive.py"}
        with urllib.request.urlopen(f"{self.base_url}/openapi.json") as response:
            document = json.load(response)
        self.operations = {
            operation["operationId"]: (method.upper(), path)
            for path, item in document["paths"].items()
            for method, operation in item.items()
        }

    def open(self, operation_id, body=None, headers=None, **parameters):
        """The response to a call. Raises HTTPError with the sentence of the service."""
        method, template = self.operations[operation_id]
        path = re.sub(r"{(\w+)}", lambda found: to_segment(parameters.pop(found[1])), template)
        url = f"{self.base_url}{path}?{urllib.parse.urlencode(parameters)}"
        sent = dict(self.headers, **(headers or {}))
        if body is not None:
            body = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        request = urllib.request.Request(url, data=body, headers=sent, method=method)
        try:
            return urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            error.msg = json.load(error)["errorMessage"]
            raise

    def call(self, operation_id, **given):
        """`data` of the envelope."""
        with self.open(operation_id, **given) as response:
            return json.load(response)["data"]

    def calls(self, day):
        """Every call of a day, which is one of the archive's time zone (D06, D07)."""
        page_index = 0
        while page := self.call(
            "searchMetadataByCustomFields",
            pageIndex=page_index,
            startDate=day,
            endDate=day,
            body={},
        ):
            yield from page
            page_index += 1

    def save(self, call, path):
        """Saves the first recording of a record, and compares it with its digest (D16, D17)."""
        with self.open_recording(call) as response:
            content = response.read()
            announced = re.search(r"sha-256=:(.+?):", response.headers.get("Repr-Digest", ""))
        digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
        if announced and announced[1] != digest:
            raise ValueError(f"{path}: the bytes are not those that were announced")
        with open(path, "xb") as file:
            file.write(content)
        return len(content)

    def open_recording(self, call):
        """By the call_id; by the reference if the call was transferred, and so has other records."""
        for name, kind in ("call_id", "CallId"), ("ref_id", "Reference"):
            identifier = {name: call[name]}
            if call[name] and len(self.call(f"getMetadataBy{kind}", **identifier)) == 1:
                return self.open(f"streamRecordingBy{kind}", **identifier)
        raise ValueError(f"{call['call_id']}: its recording may be that of another record")


def to_segment(identifier):
    """An identifier as one segment of a path. One that could lead to another path is refused."""
    text = str(identifier)
    if re.search(r"^$|[\0-\x1f\x7f]|(^|[/\\])\.\.?([/\\;?#]|$)", text):
        raise ValueError(f"{text!r} is no identifier: it could lead to another path")
    return urllib.parse.quote(text, safe="")


def main():
    archive = Archive(os.environ["CALL_MEDIA_BASE_URL"], os.environ["CALL_MEDIA_API_KEY"])
    count = 0
    for call in archive.calls(sys.argv[1]):
        count += 1
        print(call["datetime"], call["call_id"], call["agent_name"])
        if call["recordings"] and count == 1:
            saved = archive.save(call, "first.audio")
            print(f"first.audio: {saved} bytes")
    print(f"{count} calls")


if __name__ == "__main__":
    main()
