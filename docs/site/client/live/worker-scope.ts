/** The scope of a dedicated worker, whose types do not go together with those of pages. */
export interface WorkerScope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer?: readonly Transferable[]): void;
}

export const scope = globalThis as unknown as WorkerScope;
