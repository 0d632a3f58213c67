/** What a user does in Puppet, done: motions and pairs that are given, made or recorded, and performances of them. */

import type { JobRequest, Report } from '@pelt/jobs';
import type { PairsDocument } from '@pelt/model';
import type { ExtraFile, MadePair, PuppetChoices, Take } from '../store/document.ts';
import type { PairWeights, StoredFile } from '../store/library.ts';
import type { PerformerFrame } from '../store/performer.ts';
import { NO_PAIRS } from '../store/registration.ts';
import { puppetOptions } from '../store/requests.ts';
import { ask } from './ask.ts';
import { giveRecording } from './face-bench.ts';
import { pairsFile, takeFile, takenFrame, trimmedTake } from './tracker/take-file.ts';
import type { Workbench } from './workbench.ts';

const PAIRS_NAME = 'pairs.json';

/** What a motion or a file of pairs may be called; what it is, is found out by reading it. */
export function isPuppetFile(path: string): boolean {
  return /\.(?:bvh|vrma|json|txt|csv)$/i.test(path);
}

/** A motion, and pairs of poses, for the character; only Puppet has a use for them, so it is shown. */
export async function givePuppet(bench: Workbench, files: readonly StoredFile[]): Promise<void> {
  const kinds = await ask({ type: 'recognise', files });
  const known = files.filter((_, k) => kinds[k].kind !== 'other');
  const reasons = kinds.flatMap((found) => (found.kind === 'other' ? [found.reason] : []));
  if (known.length === 0) throw new Error(reasons[0] ?? 'there is nothing in these files');
  if (reasons.length > 0) bench.store.setSession({ notice: { kind: 'info', text: reasons.join('; ') } });
  const recorded = files.find((_, k) => kinds[k].kind === 'face-recording');
  if (recorded) return giveRecording(bench, recorded);
  const fileOf = (kind: string) => files.find((_, k) => kinds[k].kind === kind);
  const [pairsFile, motionFile] = [fileOf('pairs'), fileOf('motion')];
  const pairs = pairsFile && keepFile(bench, pairsFile);
  const motion = motionFile && keepFile(bench, motionFile);
  bench.store.edit(motion ? 'Choose a motion' : 'Choose pairs', (now) => ({
    ...now,
    mode: 'puppet',
    puppet: { ...now.puppet, ...(pairs && { pairs, made: [] }), ...(motion && { motion, source: 'file' }) },
  }));
}

/** Retargets the motion, or the take that was recorded, to the character. */
export async function perform(bench: Workbench): Promise<void> {
  const { character: run, library, store } = bench;
  const { puppet } = store.state.document;
  const [character] = library.get(run?.id)?.files ?? [];
  const motion = await motionOf(bench, puppet);
  const [pairs] = library.get(puppet.pairs?.id)?.files ?? [];
  if (!run || !character || !motion) return;
  const options = puppetOptions(puppet, motion.path);
  const inputs = [character.path];
  const output = character.path.replace(/\.glb$/, '-performed.glb');
  const request = { command: 'puppet', inputs, output, options } as unknown as JobRequest;
  const made = await bench.produce(request, [character, motion, ...(pairs ? [pairs] : [])]);
  const [file] = made?.written ?? [];
  if (!made || !file) return;
  const { quality, weights } = made.report as Report<'puppet'> & { readonly weights?: PairWeights };
  const id = library.newId('performance');
  library.set(id, { files: [file], ...(weights && { weights }) });
  const performance = { id, character: run.id, inputs, options, bytes: file.blob.size, quality };
  store.edit('Perform', (now) => ({ ...now, performance }));
}

/** What is performed: a file, or the part of a recording that is used. */
export async function motionOf({ library }: Workbench, puppet: PuppetChoices): Promise<StoredFile | undefined> {
  const { source, take, motion } = puppet;
  if (source === 'file') return library.get(motion?.id)?.files[0];
  const [recorded] = library.get(take?.id)?.files ?? [];
  return take && recorded && trimmedTake(take, recorded);
}

/** Keeps what was recorded, in place of what was recorded before. */
export function keepTake(bench: Workbench, frames: readonly PerformerFrame[]): void {
  const seen = frames.filter(({ picture }) => picture !== undefined);
  if (seen.length < 2) {
    const text = 'nobody was seen while it recorded; step back until hips and shoulders are in the picture';
    bench.store.setSession({ notice: { kind: 'error', text } });
    return;
  }
  const start = seen[0].time;
  const taken = seen.map((frame) => takenFrame({ ...frame, time: frame.time - start }));
  const { id, name } = keepFile(bench, takeFile('take.json', taken));
  const seconds = seen[seen.length - 1].time - start;
  const take: Take = { id, name, frames: seen.length, seconds, from: 0, to: seen.length - 1 };
  edit(bench, 'Record', (now) => ({ ...now, take }));
}

export async function keepPair(bench: Workbench, pair: MadePair, joints: readonly string[]): Promise<void> {
  const { made } = bench.store.state.document.puppet;
  await setPairs(bench, 'Make a pair', [...made, pair], joints);
}

export async function removePair(bench: Workbench, index: number, joints: readonly string[]): Promise<void> {
  const { made } = bench.store.state.document.puppet;
  await setPairs(
    bench,
    'Remove a pair',
    made.filter((_, k) => k !== index),
    joints,
  );
}

async function setPairs(
  bench: Workbench,
  label: string,
  made: readonly MadePair[],
  joints: readonly string[],
): Promise<void> {
  const pairs = made.length > 0 ? keepFile(bench, await pairsFile(PAIRS_NAME, made, joints)) : undefined;
  edit(bench, label, (now) => ({ ...now, made, pairs }));
}

/** Keeps pairs that were written in the studio, in place of those before. */
export function keepPairs(bench: Workbench, label: string, bytes: Uint8Array<ArrayBuffer>): void {
  const pairs = keepFile(bench, { path: PAIRS_NAME, blob: new Blob([bytes], { type: 'application/json' }) });
  edit(bench, label, (now) => ({ ...now, made: [], pairs }));
}

/** The pairs that there are; none where no file is chosen. */
export async function readPairsDocument({ library }: Workbench, id: string | undefined): Promise<PairsDocument> {
  const [file] = library.get(id)?.files ?? [];
  if (!file) return NO_PAIRS;
  const { readPairs } = await import('@pelt/io');
  return readPairs(new Uint8Array(await file.blob.arrayBuffer()), { name: file.path });
}

/** Keeps pairs as they were changed; undefined: there are none. */
export async function keepPairsDocument(
  bench: Workbench,
  label: string,
  document: PairsDocument | undefined,
): Promise<void> {
  if (!document) return edit(bench, label, (now) => ({ ...now, made: [], pairs: undefined }));
  const { writePairs } = await import('@pelt/io');
  keepPairs(bench, label, writePairs(document));
}

/** Key poses of the motion that the command suggests, as a document of pairs. */
export async function suggestPairs(bench: Workbench, count: number): Promise<PairsDocument | undefined> {
  const [character] = bench.library.get(bench.character?.id)?.files ?? [];
  const motion = await motionOf(bench, bench.store.state.document.puppet);
  if (!character || !motion) return undefined;
  const options = { motion: motion.path, suggest: count };
  const request = { command: 'puppet', inputs: [character.path], output: PAIRS_NAME, options } as JobRequest;
  const [file] = (await bench.make(request, [character, motion])) ?? [];
  if (!file) return undefined;
  const { readPairs } = await import('@pelt/io');
  return readPairs(new Uint8Array(await file.blob.arrayBuffer()), { name: file.path });
}

function keepFile({ library }: Workbench, file: StoredFile): ExtraFile {
  const id = library.newId('file');
  library.set(id, { files: [file] });
  return { id, name: file.path };
}

function edit({ store }: Workbench, label: string, change: (puppet: PuppetChoices) => PuppetChoices): void {
  store.edit(label, (now) => ({ ...now, puppet: change(now.puppet) }));
}
