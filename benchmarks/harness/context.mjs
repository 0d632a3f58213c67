/**
 * What a task is given: where the data are, the plain twins, and medians.
 */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { compareTimes, medianRun, medianTime } from './measure.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The absolute path of a file of the measured data. */
export function dataPath(path) {
  return join(process.env.PELT_DATA ?? resolve(root, '..', 'shared', 'data'), path);
}

/**
 * @param only   text that the names of the wanted cases contain; undefined for all
 * @param times  whether times are wanted, too; a task may leave them out on a busy machine
 */
export function createContext(task, only, times = true) {
  let server;
  return {
    only,
    times,
    /** Whether a case is wanted. */
    wants: (name) => only === undefined || name.includes(only),
    /** The absolute path of a file that `needs` names. */
    data: dataPath,
    /** A line on stderr, so that a long run shows where it is. */
    log: (message) => console.error(`${task}: ${message}`),
    /** Median milliseconds of one call; see harness/measure.mjs. */
    medianTime,
    /** Median seconds of a few whole runs without warm-up, as a user meets them, and the result of the last. */
    medianRun,
    /** Median milliseconds of two rivals, measured in turn: { value, reference }. */
    compareTimes,
    /**
     * A TypeScript module of the tests, such as the plain twin of a kernel.
     * @param path  from the root of the repository
     */
    async twin(path) {
      server ??= await createServer({
        root,
        configFile: false,
        logLevel: 'error',
        server: { middlewareMode: true, ws: false, watch: null },
        optimizeDeps: { noDiscovery: true },
        resolve: { conditions: ['@pelt/source'] },
        ssr: { resolve: { conditions: ['@pelt/source'] } },
      });
      return server.ssrLoadModule(join(root, path));
    },
    async close() {
      await server?.close();
    },
  };
}
