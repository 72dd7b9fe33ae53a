// Judges event streams: eventsource-parser reads the same bytes, in pieces of its own. Prints a line of JSON for each
// verdict.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { createParser } from "eventsource-parser";

/** The events of a stream; an identifier and a reconnection time remain until the next one. */
function parse(bytes, length) {
  const events = [];
  let id = null;
  let retry = null;
  const parser = createParser({
    onRetry: (milliseconds) => (retry = String(milliseconds)),
    onEvent: (event) => {
      id = event.id === undefined ? id : event.id || null;
      events.push({ id, event: event.event ?? null, retry, data: event.data });
    },
  });
  // It looks for a byte order mark in bytes, so the decoder removes it.
  const decoder = new TextDecoder();
  for (let start = 0; start < bytes.length; start += length) {
    parser.feed(decoder.decode(bytes.subarray(start, start + length), { stream: true }));
  }
  // A return ends its line only once another line has ended.
  parser.feed(":\n");
  return events;
}

const judge = "eventsource-parser";
const withoutId = ({ event, retry, data }) => ({ event, retry, data });
const ids = (events) => events.map(({ id }) => id);
for (const [index, { pieces, events }] of JSON.parse(readFileSync(process.argv[2], "utf8")).entries()) {
  const read = parse(Uint8Array.from(pieces.flat()), 1 + (index % 13));
  const pairs = { stream: [events.map(withoutId), read.map(withoutId)], "stream-id": [ids(events), ids(read)] };
  for (const [id, [expected, actual]] of Object.entries(pairs)) {
    const agrees = isDeepStrictEqual(expected, actual);
    console.log(JSON.stringify({ judge, id, agrees, expected, actual }));
  }
}
