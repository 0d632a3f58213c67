/** The browser's side: runs a job in a worker, on files that it is sent, and sends back what the job wrote. */
import { BlobFiles } from '../../src/files/blob-files.ts';
import { MemoryFiles } from '../../src/files/memory-files.ts';
import { MemoryOutputs } from '../../src/outputs/outputs.ts';
import type { JobRequest } from '../../src/request/check-request.ts';
import { runJob } from '../../src/run-job.ts';

export interface WorkerOrder {
  readonly request: JobRequest;
  /** Where the files of the job can be fetched, under their paths. */
  readonly folder: string;
  readonly paths: readonly string[];
  readonly hold: 'memory' | 'blobs';
  readonly threads: number;
}

addEventListener('message', async ({ data }: MessageEvent<WorkerOrder>) => {
  const { request, folder, paths, hold, threads } = data;
  try {
    const fetched = await Promise.all(
      paths.map(async (path) => [path, await (await fetch(`${folder}/${path}`)).blob()] as const),
    );
    const files =
      hold === 'blobs'
        ? new BlobFiles(fetched)
        : new MemoryFiles(
            await Promise.all(
              fetched.map(async ([path, blob]) => [path, new Uint8Array(await blob.arrayBuffer())] as const),
            ),
          );
    const outputs = new MemoryOutputs();
    const report = await runJob(request, { files, outputs, threads });
    postMessage({ report, written: [...outputs.files] });
  } catch (error) {
    postMessage({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  }
});
