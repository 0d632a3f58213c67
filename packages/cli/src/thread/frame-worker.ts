/** A thread that scans OBJ frames for a job: it takes the next file, until none is left. */
import { parentPort, workerData } from 'node:worker_threads';
import { NodeFiles } from '@pelt/farm/files';
import { scanObjFrame } from '@pelt/jobs';
import { type ScanOrder, STOPPED } from './scan-protocol.ts';

const { paths, vertices, next } = workerData as ScanOrder;
const files = new NodeFiles();
const counter = new Int32Array(next);

for (let k = Atomics.add(counter, 0, 1); k < paths.length; k = Atomics.add(counter, 0, 1)) {
  const positions = new Float32Array(3 * vertices);
  try {
    const faces = scanObjFrame(files.read(paths[k]), vertices, paths[k], positions);
    parentPort?.postMessage({ k, positions, faces }, [positions.buffer]);
  } catch {
    // The job reads this file again and tells what is wrong with it; those behind it no longer matter.
    Atomics.store(counter, 0, STOPPED);
  }
}
