/** `pelt view`: pictures, films and pages of meshes, animations and rigs, alone or beside their original. */
import { stageOf, UnsupportedError, UsageError } from '@pelt/model';
import type { InputOptions } from '../input/load-sequence.ts';
import { sourceOf, sourcesOf } from '../input/source-files.ts';
import { type Job, timed } from '../job.ts';
import type { Checked } from '../request/table.ts';
import type { ViewFormat } from './draw-scene.ts';
import { lighter } from './grid-positions.ts';
import { type HeatFigures, withHeat } from './heat.ts';
import { loadSubject, type Moments } from './load-subject.ts';
import type { ViewCamera, ViewFilm, ViewPicture, ViewScene, ViewSubject } from './scene.ts';
import { DIRECTIONS, type VIEW } from './table.ts';

export interface ViewReport {
  readonly subjects: readonly {
    readonly name: string;
    readonly vertices: number;
    readonly clips: readonly { readonly name: string; readonly frames: number }[];
  }[];
  /** One for each input, where there is an original. */
  readonly heat?: readonly HeatFigures[];
  readonly film?: { readonly frames: number; readonly fps: number; readonly codec: string | undefined };
  readonly output: { readonly file: string; readonly bytes: number };
  readonly seconds: { readonly read: number; readonly draw: number };
}

type Options = Checked<typeof VIEW>['options'];

/** Frames a second. */
const RATES: Readonly<Record<ViewFormat, number>> = { png: 0, gif: 20, mp4: 30, html: 30 };
/** Frames of one subject in a row. */
const MOST_COLUMNS = 4;
/** Of a turntable around something that does not move, in seconds. */
const TURN_SECONDS = 4;
const [STILL, FILM] = [
  { width: 720, samples: 24 },
  { width: 480, samples: 6 },
];

export async function view({ inputs, output, options }: Checked<typeof VIEW>, job: Job): Promise<ViewReport> {
  const format = output.slice(output.lastIndexOf('.') + 1).toLowerCase() as ViewFormat;
  requireSense(format, options);
  const { drawScene } = job;
  if (!drawScene) throw new UnsupportedError('nothing here can draw; run pelt view on a command line');
  await drawScene.requireFormat(format);
  job.outputs.reserve(output);
  const [{ subjects, heat }, read] = await timed(() => load(inputs, options, format, job));
  requireShown(subjects, options);
  const scene = sceneOf(subjects, heat, options, format);
  const [drawn, draw] = await timed(() => drawScene.draw(scene, format, stageOf(job.context, 0.3, 1)));
  job.outputs.write(output, drawn.bytes);
  const { film } = scene.picture;
  return {
    subjects: subjects.map(({ label, positions, clips }) => ({
      name: label,
      vertices: positions.length / 3,
      clips: clips.map(({ name, times }) => ({ name, frames: times.length })),
    })),
    ...(heat && { heat }),
    ...(film && format !== 'html' && { film: { frames: film.frames, fps: film.fps, codec: drawn.codec } }),
    output: { file: output, bytes: drawn.bytes.length },
    seconds: { read, draw },
  };
}

function requireSense(format: ViewFormat, { frame, turntable, seconds, rate, heatMax, original }: Options): void {
  const only = (given: unknown, flag: string, formats: readonly ViewFormat[]) => {
    if (given && !formats.includes(format))
      throw new UsageError(`${flag} is for .${formats.join(', .')}, not .${format}`);
  };
  only(frame, '--frame', ['png']);
  only(turntable, '--turntable', ['gif', 'mp4']);
  only(seconds, '--seconds', ['gif', 'mp4']);
  only(rate, '--rate', ['gif', 'mp4', 'html']);
  if (heatMax !== undefined && !original) throw new UsageError('--heat-max is for --original, which is not given');
}

function requireShown(subjects: readonly ViewSubject[], { weights, bones }: Options): void {
  if ((weights || bones) && !subjects.some(({ rig }) => rig?.skinned)) {
    throw new UsageError(`--${weights ? 'weights' : 'bones'} is for rigs; '${subjects[0].label}' has no skin`);
  }
}

async function load(inputs: readonly string[], options: Options, format: ViewFormat, job: Job) {
  const { rest, fps, clip, mesh, up, scale, frame, original, rate } = options;
  const input: InputOptions = { rest, fps, clip, mesh, up, scale };
  const moments: Moments = {
    allClips: format === 'html',
    frames: format !== 'png' ? undefined : framesOf(frame, original !== undefined),
    fps: fps ?? (format === 'png' ? undefined : (rate ?? RATES[format])),
  };
  const sources = sourcesOf(job.files, inputs);
  const context = stageOf(job.context, 0, 0.3);
  const subjects: ViewSubject[] = [];
  if (!original) {
    for (const source of sources) subjects.push(await loadSubject(source, input, moments, job, context));
    return { subjects, heat: undefined };
  }
  const truth = await loadSubject(sourceOf(job.files, original, rest), input, moments, job, context);
  subjects.push(truth);
  const heat: HeatFigures[] = [];
  for (const source of sources) {
    const subject = await loadSubject(source, input, moments, job, context, { clips: truth.clips });
    const measured = withHeat(subject, truth);
    subjects.push(measured.subject);
    heat.push(measured.figures);
  }
  return { subjects, heat };
}

function sceneOf(
  subjects: readonly ViewSubject[],
  heat: readonly HeatFigures[] | undefined,
  options: Options,
  format: ViewFormat,
): ViewScene {
  const { weights, bones, edges, flat, title, heatMax } = options;
  const largest = Math.max(0, ...(heat ?? []).map(({ maxPercent }) => maxPercent));
  return {
    title: title ?? '',
    subjects: format === 'html' ? subjects.map(lighter) : subjects,
    look: { heat: heat && (heatMax ?? (largest || 1)), weights, bones, edges, flat },
    camera: cameraOf(options),
    picture: pictureOf(subjects, heat, options, format),
  };
}

function pictureOf(
  subjects: readonly ViewSubject[],
  heat: readonly HeatFigures[] | undefined,
  options: Options,
  format: ViewFormat,
): ViewPicture {
  const defaults = format === 'png' ? STILL : FILM;
  const { width = defaults.width, height = width, samples = defaults.samples } = options;
  const shots = shotsOf(heat, options);
  return {
    width,
    height,
    columns: subjects.length > 1 ? subjects.length : Math.min(shots.length, MOST_COLUMNS),
    samples,
    shots,
    film: format === 'png' ? undefined : filmOf(subjects, options, format),
  };
}

/** Frames that a picture needs, from 0; undefined: all, for the worst is looked for. */
function framesOf(frame: Options['frame'], measured: boolean): number[] | undefined {
  if (frame === 'rest') return [];
  if (frame) return frame.map((number) => number - 1);
  return measured ? undefined : [0];
}

function shotsOf(heat: readonly HeatFigures[] | undefined, { frame }: Options): ViewPicture['shots'] {
  if (frame === 'rest') return [{ frame: -1, label: '' }];
  if (frame) return frame.map((number, k) => ({ frame: k, label: `frame ${number}` }));
  const worst = heat?.reduce((most, figures) => (figures.maxPercent > most.maxPercent ? figures : most));
  if (worst && worst.frame > 0) return [{ frame: worst.frame - 1, label: `frame ${worst.frame}` }];
  return [{ frame: 0, label: '' }];
}

function filmOf(subjects: readonly ViewSubject[], { turntable, seconds, rate }: Options, format: ViewFormat): ViewFilm {
  const fps = rate ?? RATES[format];
  const longest = Math.max(0, ...subjects.map(({ clips }) => clips[0]?.times.at(-1) ?? 0));
  const length = seconds ?? (longest > 0 ? longest : TURN_SECONDS);
  return { fps, frames: Math.max(1, Math.round(length * fps)), turntable: turntable || longest === 0 };
}

/** Named directions are meant relative to "up"; with z up, what was −z is now y. */
function cameraOf({ from, vertical }: Options): ViewCamera {
  const sign = vertical.startsWith('-') ? -1 : 1;
  const [x, y, z] = typeof from === 'string' ? DIRECTIONS[from] : from;
  const named = typeof from === 'string';
  if (x === 0 && y === 0 && z === 0) throw new UsageError('--from 0,0,0 is not a direction');
  if (vertical.endsWith('z')) return { direction: named ? [x, -z, sign * y] : [x, y, z], up: [0, 0, sign] };
  return { direction: named ? [x, sign * y, z] : [x, y, z], up: [0, sign, 0] };
}
