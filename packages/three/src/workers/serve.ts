/** The worker's side of a link: opens once, then answers requests in turn. */
import type { FromWorker, ToWorker } from './protocol.ts';

export interface Served<Ask, Answer> {
  answer(ask: Ask): Answer;
  /** Arrays of the answer that are handed over and not copied. */
  transfer(answer: Answer): Transferable[];
}

/** The little of a worker's global scope that is used. */
interface Scope {
  onmessage: ((event: { data: unknown }) => void) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
}

export function serve<Open, Ask, Answer>(open: (given: Open) => Promise<Served<Ask, Answer>>): void {
  const scope = globalThis as unknown as Scope;
  let served: Promise<Served<Ask, Answer>> | undefined;
  const post = (message: FromWorker<Answer>, transfer: Transferable[] = []) => scope.postMessage(message, transfer);
  scope.onmessage = async ({ data }) => {
    const message = data as ToWorker<Open, Ask>;
    try {
      if ('open' in message) {
        served = open(message.open);
        await served;
        post({ opened: true });
        return;
      }
      if (!served) throw new Error('a worker was asked before it was opened');
      const own = await served;
      const answer = own.answer(message.ask);
      post({ id: message.id, answer }, own.transfer(answer));
    } catch (error) {
      post({ error: error instanceof Error ? error.message : String(error) });
    }
  };
}
