// Judges requests: swagger-client encodes the same values, Prism and express-openapi-validator decode them, busboy
// reads the forms. Reads the output of `requests`, prints a line of JSON for each verdict.
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { isDeepStrictEqual } from "node:util";

const require = createRequire(`${process.cwd()}/`);
const SwaggerClient = require("swagger-client").default ?? require("swagger-client");
const prism = require("@stoplight/prism-http/dist/validator/deserializers");
const busboy = require("busboy");
const express = require("express");
const validator = require("express-openapi-validator");

const { document, rows, forms } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const verdict = (judge, id, expected, read) => {
  const actual = read === undefined ? null : JSON.parse(JSON.stringify(read));
  console.log(JSON.stringify({ judge, id, agrees: isDeepStrictEqual(expected, actual), expected, actual }));
};

/** The path and query of a request, as it was sent. */
function target({ id, in: place, sent }) {
  if (place === "path") return `/${id}/${sent}/end`;
  return place === "query" ? `/${id}?${sent}` : `/${id}`;
}

function headers({ in: place, sent }) {
  if (place === "header") return { color: sent };
  return place === "cookie" ? { cookie: sent } : {};
}

/** What `swagger-client` sends, in the form of `sent`. */
function written(row) {
  const parameters = { color: row.value };
  const request = SwaggerClient.buildRequest({ spec: document, operationId: row.id, parameters });
  const url = request.url.replace("http://localhost", "");
  switch (row.in) {
    case "path": return url.slice(row.id.length + 2).replace(/\/end$/, "");
    case "query": return url.split("?")[1] ?? "";
    case "header": return request.headers.color;
    default: return request.headers.Cookie;
  }
}

/** What Prism reads; it knows no cookies, and decodes texts before it splits them. */
function prismReads(row) {
  const { schema } = Object.values(document.paths).map((path) => path.get)
    .find((operation) => operation.operationId === row.id).parameters[0];
  const values = {};
  if (row.in === "query") {
    for (const [name, value] of new URLSearchParams(row.sent)) {
      values[name] = name in values ? [values[name], value].flat() : value;
    }
  } else {
    values.color = row.in === "path" ? decodeURIComponent(row.sent) : row.sent;
  }
  return prism[row.in][row.style]("color", values, schema, row.explode);
}

function attempt(action) {
  try {
    return action();
  } catch (error) {
    return `error: ${error.message}`;
  }
}

for (const row of rows) {
  verdict("swagger-client", row.id, row.sent, attempt(() => written(row)));
  if (row.in !== "cookie") {
    verdict("prism", row.id, row.value, attempt(() => prismReads(row)));
  }
}

/** The parts of a form, in order. */
function parts({ type, body }) {
  return new Promise((resolve, reject) => {
    const found = [];
    const reader = busboy({ headers: { "content-type": type }, defParamCharset: "utf8", preservePath: true });
    reader.on("field", (name, value) =>
      found.push({ name, file: null, type: null, content: [...Buffer.from(value)] }));
    reader.on("file", (name, stream, { filename, mimeType }) => {
      const part = { name, file: filename, type: mimeType, content: [] };
      found.push(part);
      stream.on("data", (data) => part.content.push(...data));
    });
    reader.on("close", () => resolve(found)).on("error", reject);
    reader.end(Buffer.from(body));
  });
}

/** File names are quoted as browsers do. */
const quoted = (part) => ({ ...part, file: part.file?.replaceAll('"', "%22") ?? null });

for (const form of forms) {
  verdict("busboy", "form", form.parts.map(quoted), await parts(form));
}

const description = `${process.cwd()}/judged.json`;
writeFileSync(description, JSON.stringify(document));
const app = express();
app.set("query parser", "extended");
app.use((request, _response, next) => {
  const pairs = (request.headers.cookie ?? "").split("; ").filter(Boolean).map((pair) => pair.split(/=(.*)/s));
  request.cookies = Object.fromEntries(pairs.map(([name, value]) => [name, decodeURIComponent(value ?? "")]));
  next();
});
app.use(validator.middleware({ apiSpec: description, validateRequests: true, validateApiSpec: false }));
app.use((request, response) => {
  const places = { path: request.openapi?.pathParams, query: request.query, header: request.headers, cookie: request.cookies };
  response.json(places);
});
app.use((error, _request, response, _next) => response.json({ error: error.message }));
const server = createServer(app).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const ask = (row) => new Promise((resolve, reject) => {
  const { port } = server.address();
  httpRequest({ host: "127.0.0.1", port, path: target(row), headers: headers(row) }, async (response) => {
    let text = "";
    for await (const data of response) text += data;
    resolve(JSON.parse(text));
  }).on("error", reject).end();
});
for (const row of rows) {
  const read = await ask(row);
  const place = read[row.in];
  verdict("express-openapi-validator", row.id, row.value, read.error ?? place?.color ?? place);
}
server.close();
