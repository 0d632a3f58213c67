/** `pelt study`: all methods on one's own data, as tables and as a page. */
import { frameAt, frameCount, type MeshSequence, type Run, stageOf, UsageError, vertexCount } from '@pelt/model';
import { loadExamples } from '../envelope/load-examples.ts';
import { loadClips } from '../input/load-clips.ts';
import { type InputFigures, inputFigures } from '../input/load-sequence.ts';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import { withNumerics } from '../with-numerics.ts';
import { boneColours, heatColours, quantile, vertexErrors } from './false-colours.ts';
import { type BonesRow, measureBones } from './measure-bones.ts';
import { measureSkin, type SkinMethod, type SkinRow } from './measure-skins.ts';
import { cameraFor, drawMesh } from './picture.ts';
import { writePng } from './png.ts';
import type { BoneMethod, StudiedFit } from './run-method.ts';
import { type StudyPictures, studyPage } from './study-page.ts';
import { isRecording, type PerformerStudy, performerCsv, performerPage, studyPerformer } from './study-performer.ts';
import { BONES_COLUMNS, csvOf, SKIN_COLUMNS } from './study-tables.ts';
import { JOINTED_METHODS, LOOSE_METHODS, SKIN_METHODS, type STUDY } from './table.ts';

export interface StudyReport {
  /** Of meshes. */
  readonly input?: InputFigures;
  /** Of a performer's recording. */
  readonly performer?: PerformerStudy;
  readonly rows: readonly BonesRow[];
  readonly skins: readonly SkinRow[];
  /** The page, then the tables. */
  readonly output: { readonly file: string; readonly bytes: number; readonly tables: readonly string[] };
  readonly threads: number;
}

/** Share of the vertices, over all methods, whose errors the colours of the heat can tell apart. */
const SHOWN_SHARE = 0.98;
const READING = 0.02;

interface Found {
  readonly row: BonesRow;
  readonly fit: StudiedFit;
}

export async function study(request: Checked<typeof STUDY>, job: Job): Promise<StudyReport> {
  const { inputs, output, options } = request;
  if (isRecording(inputs)) return writePerformer(request, job);
  const { bones, weights, copies, rig, rigClip, examples: count, pictures: width } = options;
  const methods = options.methods ?? [...LOOSE_METHODS, ...JOINTED_METHODS, ...(rig === undefined ? [] : SKIN_METHODS)];
  const finding = methods.filter((method): method is BoneMethod => !isSkin(method));
  const learning = methods.filter(isSkin);
  if (learning.length > 0 && rig === undefined) {
    throw new UsageError(`method '${learning[0]}' learns a skin over a skeleton; name its file by --rig`);
  }
  if (learning.length === 0 && rig !== undefined) {
    throw new UsageError(
      `--rig is for methods that learn a skin: ${SKIN_METHODS.join(', ')}; none of them is asked for`,
    );
  }
  const tables = {
    ...(finding.length > 0 && { bones: besides(output, '.csv') }),
    ...(learning.length > 0 && { skins: besides(output, finding.length > 0 ? '-skins.csv' : '.csv') }),
  };
  for (const path of [output, ...Object.values(tables)]) job.outputs.reserve(path);
  const loaded = await loadClips(inputs, options, job, stageOf(job.context, 0, READING));
  const { sequence } = loaded;
  if (frameCount(sequence) < 2) {
    throw new UsageError(`'${loaded.label}' is a single pose; give at least two frames, or a rest pose and a frame`);
  }
  return withNumerics(job, async (run) => {
    const learnt = rig === undefined ? undefined : await loadExamples(rig, inputs, { ...options, rigClip }, job, run);
    const cases = bones.flatMap((wanted) => finding.map((method) => ({ method, wanted })));
    const total = cases.length + learning.length;
    const share = (k: number): Run => {
      const at = (step: number) => READING + ((1 - READING) * step) / total;
      return { ...stageOf(run, at(k), at(k + 1)), numerics: run.numerics };
    };
    const found: Found[] = [];
    for (const [k, { method, wanted }] of cases.entries()) {
      found.push(await measureBones(method, sequence, { bones: wanted, weights, copies }, share(k)));
    }
    const skins: SkinRow[] = [];
    for (const [k, method] of learning.entries()) {
      if (learnt) skins.push(await measureSkin(method, learnt, { count, weights }, share(cases.length + k)));
    }
    const rows = found.map(({ row }) => row);
    const { pictures, heat } = width > 0 ? await drawFound(sequence, found, width) : { pictures: [], heat: 0 };
    const input = inputFigures(loaded);
    const { threads } = run.numerics;
    const title = sequence.name || loaded.label;
    const [vertices, frames] = [vertexCount(sequence.rest), frameCount(sequence)];
    const page = bytesOf(studyPage({ title, vertices, frames, threads, rows, skins, pictures, heat }));
    job.outputs.write(output, page);
    if (tables.bones) job.outputs.write(tables.bones, bytesOf(csvOf(BONES_COLUMNS, rows)));
    if (tables.skins) job.outputs.write(tables.skins, bytesOf(csvOf(SKIN_COLUMNS, skins)));
    return { input, rows, skins, output: { file: output, bytes: page.length, tables: Object.values(tables) }, threads };
  });
}

async function writePerformer(request: Checked<typeof STUDY>, job: Job): Promise<StudyReport> {
  const { output } = request;
  const table = besides(output, '.csv');
  for (const path of [output, table]) job.outputs.reserve(path);
  const performer = await studyPerformer(request, job);
  const page = bytesOf(performerPage(performer));
  job.outputs.write(output, page);
  job.outputs.write(table, bytesOf(performerCsv(performer)));
  return { performer, rows: [], skins: [], output: { file: output, bytes: page.length, tables: [table] }, threads: 1 };
}

function isSkin(method: string): method is SkinMethod {
  return SKIN_METHODS.some((name) => name === method);
}

/** Pictures of all fits from one camera, with one scale for their errors. */
async function drawFound(
  sequence: MeshSequence,
  found: readonly Found[],
  width: number,
): Promise<{ readonly pictures: readonly StudyPictures[]; readonly heat: number }> {
  const { triangles } = sequence.rest;
  const shown = frameAt(sequence, mostMoved(sequence));
  const camera = cameraFor(shown, width);
  const errors = found.map(({ fit }) => vertexErrors(sequence, fit));
  const heat = Math.max(0, ...errors.map((own) => quantile(own, SHOWN_SHARE)));
  const pictures: StudyPictures[] = [];
  for (const [k, { row, fit }] of found.entries()) {
    const draw = (colours: Uint8Array) => writePng(drawMesh(shown, triangles, colours, camera));
    pictures.push({ row, bones: await draw(boneColours(fit)), errors: await draw(heatColours(errors[k], heat)) });
  }
  return { pictures, heat };
}

/** The frame that is farthest from the rest pose. */
function mostMoved(sequence: MeshSequence): number {
  const { positions } = sequence.rest;
  let [best, most] = [0, -1];
  for (let t = 0; t < frameCount(sequence); t++) {
    const frame = frameAt(sequence, t);
    const moved = frame.reduce((sum, x, k) => sum + (x - positions[k]) ** 2, 0);
    if (moved > most) [best, most] = [t, moved];
  }
  return best;
}

/** `study.html` → `study.csv` */
function besides(page: string, ending: string): string {
  return page.replace(/\.html$/i, ending);
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
