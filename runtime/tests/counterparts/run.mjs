// Starts the providers that runtime/tests/counterparts.rs logs in at, and a browser, and runs a command with their URLs
// in its environment: `node run.mjs COMMAND ARGUMENTS`. `npm test` installs the packages and calls it.

import { spawn } from "node:child_process";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { OAuth2Server } from "oauth2-mock-server";
import { Provider } from "oidc-provider";

/** Starts a server on a free port, and returns it with its URL. */
const listen = (handler) =>
  new Promise((resolve) => {
    const server = createServer(handler);
    server.listen(0, "127.0.0.1", () => resolve([server, `http://127.0.0.1:${server.address().port}`]));
  });

/** Opens a page as a user does who fills in and submits every form, and returns the last text. */
async function browse(start, entered) {
  const jar = new Map();
  let request = { url: start };
  for (let step = 0; step < 20; step++) {
    const { url, body } = request;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const reply = await fetch(url, { method: body ? "POST" : "GET", body, headers: { cookie }, redirect: "manual" });
    for (const line of reply.headers.getSetCookie()) {
      const [name, value] = line.split(";")[0].split(/=(.*)/s);
      jar.set(name, value);
    }
    const location = reply.headers.get("location");
    if (location) {
      request = { url: new URL(location, url) };
      continue;
    }
    const text = await reply.text();
    const form = /<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(text);
    if (!form) return text;
    const fields = new URLSearchParams();
    for (const [input] of form[2].matchAll(/<(?:input|button)[^>]*>/g)) {
      const attribute = (name) => new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1];
      const name = attribute("name");
      if (name && name !== "abort") fields.set(name, entered[name] ?? attribute("value") ?? "user");
    }
    request = { url: new URL(form[1] || url, url), body: fields };
  }
  throw new Error(`no end of ${start}`);
}

const mock = new OAuth2Server();
await mock.issuer.keys.generate("RS256");
// Otherwise the tokens of a second are equal.
mock.service.on("beforeTokenSigning", (token) => (token.payload.jti = randomUUID()));
await mock.start(0, "127.0.0.1");

let handler;
const [oidc, issuer] = await listen((request, response) => handler(request, response));
const secret = "s3cr3t with spaces & more";
const service = { client_secret: secret, redirect_uris: [], response_types: [], grant_types: ["client_credentials"] };
// Keys of clients, by their algorithm: the server knows the public ones.
const keys = {
  EdDSA: generateKeyPairSync("ed25519"),
  ES256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
  RS256: generateKeyPairSync("rsa", { modulusLength: 2048 }),
};
const jwk = (key) => key.export({ format: "jwk" });
const clientsWithKeys = Object.entries(keys).map(([algorithm, { publicKey }]) => ({
  ...service,
  client_secret: undefined,
  client_id: algorithm,
  token_endpoint_auth_method: "private_key_jwt",
  token_endpoint_auth_signing_alg: algorithm,
  jwks: { keys: [jwk(publicKey)] },
}));
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "app",
      token_endpoint_auth_method: "none",
      application_type: "native",
      redirect_uris: ["http://127.0.0.1/"],
      grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    },
    { ...service, client_id: "service in the header", token_endpoint_auth_method: "client_secret_basic" },
    { ...service, client_id: "service in the body", token_endpoint_auth_method: "client_secret_post" },
    ...clientsWithKeys,
  ],
  enabledJWA: { clientAuthSigningAlgValues: Object.keys(keys) },
  features: { deviceFlow: { enabled: true }, clientCredentials: { enabled: true } },
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  scopes: ["openid", "offline_access"],
});
handler = provider.callback();

const [browser, browserUrl] = await listen(async (request, response) => {
  const query = new URL(request.url, "http://browser").searchParams;
  response.end(await browse(query.get("url"), Object.fromEntries(query)).catch(String));
});

const [command, ...options] = process.argv.slice(2);
const privateKeys = Object.entries(keys).map(([algorithm, { privateKey }]) => [`KEY_${algorithm}`, JSON.stringify(jwk(privateKey))]);
const urls = { ...Object.fromEntries(privateKeys), MOCK_PROVIDER: mock.issuer.url, OIDC_PROVIDER: issuer, BROWSER_URL: browserUrl };
const tests = spawn(command, options, { stdio: "inherit", env: { ...process.env, ...urls } });
const code = await new Promise((resolve) => tests.on("exit", resolve).on("error", () => resolve(1)));
process.exit(code ?? 1);
