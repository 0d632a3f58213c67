/**
 * What can be taken out of the studio, and the command lines that make the same bytes. Files are made by the jobs that the
 * commands are made of; pictures and films come from the viewport and have no command.
 */
import type { JobRequest } from '@pelt/jobs';
import { type FinishedRun, runOf, type StudioDocument } from '../store/document.ts';
import type { Library, StoredFile } from '../store/library.ts';
import { commandLine, type Request } from '../store/requests.ts';
import type { Workbench } from './workbench.ts';

export type ExportKind = 'glb' | 'meshopt' | 'bvh' | 'obj' | 'pc2';

export const EXPORT_NAMES: Readonly<Record<ExportKind, readonly [name: string, text: string]>> = {
  glb: ['GLB', 'Mesh, bones, weights and animation'],
  meshopt: ['GLB, Meshopt', 'The same, packed'],
  bvh: ['BVH', 'The motion of the skeleton alone'],
  obj: ['OBJ', 'The rest pose of the rig'],
  pc2: ['PC2', 'All frames as the rig plays them'],
};

/** Kinds that a run has: only joints with a hierarchy go into a BVH, and what is packed is not packed again. */
export function exportKinds(run: FinishedRun): ExportKind[] {
  const kinds: ExportKind[] = ['glb'];
  if (run.command === 'fit' || run.command === 'skeleton') kinds.push('meshopt');
  if (run.jointed) kinds.push('bvh');
  // Readers of other files do not know a learnt skin: they would get plain skinning.
  return run.command === 'envelope' ? kinds : [...kinds, 'obj', 'pc2'];
}

/** The requests that make a file from what the user gave, in order; the last one writes it. */
export function exportRequests(
  document: StudioDocument,
  library: Library,
  run: FinishedRun,
  kind: ExportKind,
): readonly Request[] | undefined {
  const path = library.get(run.id)?.files[0]?.path;
  if (path === undefined) return undefined;
  const made = requestsOf(document, library, run);
  const stem = path.replace(/\.glb$/, '');
  switch (kind) {
    case 'glb':
      return made;
    case 'meshopt':
      return made && [...made, packRequest(path, stem)];
    default:
      return made && [...made, convertRequest(path, stem, kind)];
  }
}

/** Makes the file; undefined where that failed or was cancelled. */
export async function makeExport(
  bench: Workbench,
  run: FinishedRun,
  kind: ExportKind,
): Promise<StoredFile | undefined> {
  const [file] = bench.library.get(run.id)?.files ?? [];
  if (!file || kind === 'glb') return file;
  const stem = file.path.replace(/\.glb$/, '');
  const asked = kind === 'meshopt' ? packRequest(file.path, stem) : convertRequest(file.path, stem, kind);
  const written = await bench.make(asked as JobRequest, [file]);
  return written?.[0];
}

function packRequest(path: string, stem: string): Request {
  return {
    command: 'reduce',
    inputs: [path],
    output: `${stem}-packed.glb`,
    options: { keepBones: true, weights: 8, compress: 'meshopt' },
  };
}

function convertRequest(path: string, stem: string, kind: ExportKind): Request {
  const options = kind === 'obj' ? { frame: 'rest' } : {};
  return { command: 'convert', inputs: [path], output: `${stem}.${kind}`, options };
}

/** The commands that made a run; undefined for a rig that was made elsewhere. */
function requestsOf(document: StudioDocument, library: Library, run: FinishedRun): Request[] | undefined {
  const output = library.get(run.id)?.files[0]?.path;
  if (!run.options) return undefined;
  const { command, inputs, options } = run;
  const before = run.from === undefined ? [] : requestsOf(document, library, runOf(document, run.from) ?? run);
  return before && [...before, { command, inputs, output, options }];
}

export function commandLines(requests: readonly Request[] | undefined): string | undefined {
  return requests?.map(commandLine).join('\n');
}
