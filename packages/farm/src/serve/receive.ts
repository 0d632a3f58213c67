/** The bytes of a request, with limits on how many they are and how long they take. */
import type { IncomingMessage } from 'node:http';
import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refusal } from './refusal.ts';

export interface ReceiveLimits {
  /** Bytes of the whole. */
  readonly largest: number;
  /** What a client is told that sends more. */
  readonly tooLarge: string;
  /** Milliseconds in which a client must bring `SLOWEST_BYTES`, or all that is left. */
  readonly patience: number;
}

/** Less than the slowest connection brings in half a minute. */
const SLOWEST_BYTES = 16 << 10;

/**
 * Takes the body of a request. A client that stops, or trickles, is refused: without that, a handful of them could keep
 * connections and files open for ever.
 *
 * @param onBytes  told of every part, in order
 * @returns        the number of bytes
 */
export async function receive(
  request: IncomingMessage,
  sink: Writable,
  { largest, tooLarge, patience }: ReceiveLimits,
  onBytes: (part: Uint8Array) => void = () => {},
): Promise<number> {
  if (Number(request.headers['content-length'] ?? 0) > largest) throw new Refusal(413, tooLarge);
  let [bytes, before] = [0, 0];
  const counted = new Transform({
    transform(part: Uint8Array, _, done) {
      bytes += part.length;
      if (bytes > largest) return done(new Refusal(413, tooLarge));
      onBytes(part);
      done(null, part);
    },
  });
  const stop = new AbortController();
  const timer = setInterval(() => {
    if (bytes - before < SLOWEST_BYTES) stop.abort();
    before = bytes;
  }, patience);
  try {
    await pipeline(request, counted, sink, { signal: stop.signal });
    return bytes;
  } catch (error) {
    if (stop.signal.aborted) throw new Refusal(408, 'the upload is too slow; send it again');
    throw error;
  } finally {
    clearInterval(timer);
  }
}
