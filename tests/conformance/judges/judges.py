"""Judges requests: uritemplate encodes the same values, openapi-core decodes them, python-multipart reads the forms.

Reads the output of `requests`, prints a line of JSON for each verdict.
"""

import json
import sys
from http.cookies import SimpleCookie
from urllib.parse import parse_qsl, unquote

import uritemplate
from openapi_core import OpenAPI
from openapi_core.exceptions import OpenAPIError
from openapi_core.testing import MockRequest
from python_multipart.multipart import MultipartParser, parse_options_header

with open(sys.argv[1], encoding="utf-8") as file:
    judged = json.load(file)


def verdict(judge, name, expected, actual):
    line = {"judge": judge, "id": name, "agrees": expected == actual}
    print(json.dumps({**line, "expected": expected, "actual": actual}))


# The styles that are templates of RFC 6570.
OPERATORS = {"path-simple": "", "path-label": ".", "path-matrix": ";", "query-form": "?"}


def expanded(row, operator):
    template = "{" + operator + "color" + ("*" if row["explode"] else "") + "}"
    return uritemplate.expand(template, color=row["value"]).removeprefix("?")


def decoded(row):
    """What openapi-core reads; frameworks decode the path, the query and cookies before it sees them."""
    place, sent, path = row["in"], row["sent"], "/" + row["id"]
    request = {}
    if place == "path":
        request["view_args"] = {"color": unquote(sent)}
        pattern = path + "/{color}/end"
        path = f"{path}/{sent}/end"
    else:
        pattern = path
    if place == "query":
        request["args"] = parse_qsl(sent, keep_blank_values=True)
    elif place == "header":
        request["headers"] = {"color": sent}
    elif place == "cookie":
        cookies = (pair.split("=", 1) for pair in sent.split("; "))
        request["cookies"] = [(name, unquote(value)) for name, value in cookies]
    request = MockRequest("http://localhost", "get", path, path_pattern=pattern, **request)
    try:
        parameters = openapi.unmarshal_request(request).parameters
    except OpenAPIError as error:
        return f"error: {error.__cause__ or error}"
    return getattr(parameters, place).get("color")


def parts(form):
    """The parts of a form, in order."""
    found = []
    header = bytearray()

    def begin():
        found.append({"name": None, "file": None, "type": None, "content": []})

    def field(data, start, end):
        header.extend(data[start:end])

    def value(data, start, end):
        text = bytes(data[start:end])
        if header.lower() == b"content-disposition":
            _, options = parse_options_header(text)
            found[-1]["name"] = options[b"name"].decode()
            if b"filename" in options:
                found[-1]["file"] = options[b"filename"].decode()
        elif header.lower() == b"content-type":
            found[-1]["type"] = text.decode()

    callbacks = {
        "on_part_begin": begin,
        "on_header_begin": header.clear,
        "on_header_field": field,
        "on_header_value": value,
        "on_part_data": lambda data, start, end: found[-1]["content"].extend(data[start:end]),
    }
    _, options = parse_options_header(form["type"])
    parser = MultipartParser(options[b"boundary"], callbacks)
    parser.write(bytes(form["body"]))
    parser.finalize()
    return found


openapi = OpenAPI.from_dict(judged["document"])
for row in judged["rows"]:
    operator = OPERATORS.get(f"{row['in']}-{row['style']}")
    if operator is not None:
        verdict("uritemplate", row["id"], row["sent"], expanded(row, operator))
    verdict("openapi-core", row["id"], row["value"], decoded(row))
for form in judged["forms"]:
    # File names are quoted as browsers do.
    for part in form["parts"]:
        part["file"] = part["file"] and part["file"].replace('"', "%22")
    verdict("python-multipart", "form", form["parts"], parts(form))
