/**
 * Where the files of the body tracker are: MediaPipe's WebAssembly and models of body and hands for it. A page serves them under its own
 * address, so that nothing is loaded from elsewhere and no picture leaves the machine.
 */

/** The files in {@link trackerFolder}: the models of body and hands, the loader of the WebAssembly, and the WebAssembly itself. */
export const TRACKER_FILES = ['pose.task', 'hands.task', 'vision.js', 'vision.wasm'] as const;

/**
 * The folder with the files of the tracker, and with the licences of what is in them.
 * @returns a file URL that ends with a slash
 * @example
 * ```ts
 * import { TRACKER_FILES, trackerFolder } from '@pelt/tracker';
 *
 * const [model] = TRACKER_FILES.map((name) => new URL(name, trackerFolder()));
 * if (!model.pathname.endsWith('/files/pose.task')) throw new Error('the model has another place');
 * ```
 */
export function trackerFolder(): URL {
  return new URL('../files/', import.meta.url);
}
