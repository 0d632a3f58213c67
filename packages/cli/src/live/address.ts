/** Addresses of streams: `udp:39539`, `udp:192.168.0.5:39539`, `ws:8765`, `bvh:take.bvh`, `-`. */
import { UsageError } from '@pelt/model';

/** Whoever wants another computer in says so. */
const LOOPBACK = '127.0.0.1';

export interface StreamAddress {
  readonly kind: 'udp' | 'ws' | 'bvh' | 'lines';
  readonly host: string;
  readonly port: number;
  /** Of `bvh`; `-` for the standard output. */
  readonly file: string;
}

export function readAddress(word: string, flag: string): StreamAddress {
  const none = { host: LOOPBACK, port: 0, file: '' };
  if (word === '-') return { ...none, kind: 'lines' };
  const file = /^bvh:(.+)$/.exec(word);
  if (file) return { ...none, kind: 'bvh', file: file[1] };
  const net = /^(udp|ws):(?:(.+):)?(\d+)$/.exec(word);
  const port = Number(net?.[3]);
  if (!net || port > 65_535) {
    throw new UsageError(
      `${flag} '${word}' is not a stream; give udp:PORT, ws:PORT, ${flag === '--send' ? 'bvh:FILE' : '-'}`,
    );
  }
  return { kind: net[1] as 'udp' | 'ws', host: net[2] ?? LOOPBACK, port, file: '' };
}
