/** The states of a job as server-sent events, until it has ended. */
import type { ServerResponse } from 'node:http';
import { hasEnded, type JobBoard, type PublicState } from './job-board.ts';

/** Bytes that a client may leave unread; one that reads nothing is not worth the memory. */
const MOST_UNREAD = 1 << 20;

export function streamStates(response: ServerResponse, board: JobBoard, first: PublicState): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  let stop = () => {};
  let ended = false;
  const end = () => {
    ended = true;
    stop();
  };
  const tell = (state: PublicState) => {
    // Pipelined requests wait for each other, so that a response can be open long after its last state.
    if (ended || response.writableEnded || response.destroyed) return end();
    if (response.writableLength > MOST_UNREAD) {
      end();
      response.destroy();
      return;
    }
    response.write(`data: ${JSON.stringify(state)}\n\n`);
    if (!hasEnded(state)) return;
    end();
    response.end();
  };
  response.on('close', end);
  stop = board.watch(first.key, tell);
  tell(first);
}
