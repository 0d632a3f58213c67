/**
 * What a user asks for, done: opens files, runs commands, keeps what comes out. The only place that knows the store, the
 * library and the workers; panels call it, and it draws nothing.
 */
import type { CommandName, JobRequest } from '@pelt/jobs';
import type { Snapshot } from '@pelt/model';
import type { BodyPlan } from '@pelt/skin/embed/options';
import { FIRST_CLIP, newClip } from '../store/clips.ts';
import {
  baseOf,
  characterOf,
  type FinishedRun,
  type InputChoices,
  type RunCommand,
  type SkinChoices,
  type StudioDocument,
} from '../store/document.ts';
import { NO_EXPRESSION } from '../store/face.ts';
import type { Landmarks } from '../store/landmarks.ts';
import type { Library, StoredFile } from '../store/library.ts';
import { envelopeOptions, fitOptions, type RequestOptions, reduceOptions, skeletonOptions } from '../store/requests.ts';
import type { Store } from '../store/store.ts';
import { ask, Stopped } from './ask.ts';
import type { BoundBody } from './bind-body.ts';
import type { CaptureSkeleton } from './capture-skeleton.ts';
import { describeInput, isRunOf, stemOf } from './describe-input.ts';
import { titleOf } from './describe-run.ts';
import type { AnimationFiles, Measured } from './protocol.ts';
import { givePuppet, isPuppetFile } from './puppet-bench.ts';
import { TaskWatch } from './task-watch.ts';

/** Ends of the names of what the commands write. */
const OUTPUT_NAMES = { fit: 'fitted', skeleton: 'jointed', reduce: 'reduced', envelope: 'skinned' } as const;

/** What is opened of files that are a rig and shapes. */
export type RigUse = 'both' | 'rig' | 'shapes';

/** What a fit has so far, for whoever draws. */
export type LiveListener = (snapshot: Snapshot | undefined) => void;

export class Workbench {
  readonly store: Store;
  readonly library: Library;
  onLive: LiveListener = () => {};
  #running: AbortController | undefined;

  constructor(store: Store, library: Library) {
    this.store = store;
    this.library = library;
  }

  get threads(): number {
    return globalThis.crossOriginIsolated ? Math.max(1, navigator.hardwareConcurrency || 1) : 1;
  }

  /** Files that were dropped or chosen: opened at once, or after one question. */
  async offer(files: readonly StoredFile[]): Promise<void> {
    const motions = files.filter(({ path }) => isPuppetFile(path));
    await this.#guarded('Reading files', async () => {
      if (motions.length > 0 && motions.length === files.length) return givePuppet(this, motions);
      const { inputs, clips, rests, rest, fps, up, rig, unclear } = await ask({ type: 'inspect', files });
      if (unclear) {
        this.store.setSession({ question: { files, paths: inputs, clips, rests, rest, rig, fps, up } });
        return;
      }
      await this.#open({ files, inputs, choices: {} });
    });
  }

  /**
   * The answer to the question about dropped files; without choices it is dismissed.
   *
   * @param clip  which of several animations; absent: the only one, or the clips of the choices
   * @param use   what of a rig and shapes is meant: both, or one of them alone
   */
  async answer(choices: InputChoices | undefined, clip?: string, use: RigUse = 'both'): Promise<void> {
    const { question } = this.store.state.session;
    this.store.setSession({ question: undefined });
    if (!question || !choices) return;
    const { files, rig } = question;
    if (rig !== undefined && use === 'rig') {
      await this.#guarded('Opening', () => this.#open({ files, inputs: [rig], choices: {} }));
      return;
    }
    const plays = use === 'both' ? files.find(({ path }) => path === rig) : undefined;
    const meshes = question.paths.slice(0, -1);
    const inputs = choices.clip ? meshes : clip === undefined ? question.paths : [...meshes, clip];
    await this.#guarded('Opening', () => this.#open({ files, inputs, choices }, plays));
  }

  /**
   * An animation, and a rig that plays it, where there is one already.
   *
   * @param made  options of the fit that made the rig
   */
  async openAnimation(
    animation: AnimationFiles,
    rig?: StoredFile,
    label?: string,
    made?: { readonly options?: RequestOptions },
  ): Promise<void> {
    await this.#guarded('Opening', () => this.#open(animation, rig, label, made));
  }

  async #open(
    animation: AnimationFiles,
    rig?: StoredFile,
    label?: string,
    made: { readonly options?: RequestOptions } = {},
  ): Promise<void> {
    const opened = await ask({ type: 'open', animation, rigs: rig ? [rig] : [] }, this.#warnings());
    const id = this.library.newId('input');
    this.library.set(id, { files: animation.files, sequence: opened.sequence });
    const input = describeInput(id, animation, opened, label);
    const shown = rig ?? animation.files.find(({ path }) => path === animation.inputs[0]);
    const [found] = opened.rigs;
    const first = shown && found && this.#keep('fit', found, shown, { ...made, inputs: animation.inputs });
    this.store.edit(`Open ${input.label}`, (document) => ({
      ...document,
      input,
      runs: first ? [first] : [],
      shown: first?.id,
      compared: undefined,
      poser: undefined,
      performance: undefined,
      poses: [],
      clips: [newClip(FIRST_CLIP.id, FIRST_CLIP.name, input)],
      clip: FIRST_CLIP.id,
      volume: { ...document.volume, joints: [], constraints: undefined, capture: undefined, examples: [] },
      // Motions, pairs and takes were given for the character that was there.
      puppet: { ...document.puppet, motion: undefined, pairs: undefined, made: [], take: undefined },
      face: { ...document.face, ...NO_EXPRESSION },
      // A face is looked at by its sliders, and nothing else is.
      mode: input.face ? 'face' : document.mode === 'face' ? 'fit' : document.mode,
    }));
    // What says most: how far a fit is from its animation; of a rig, its bones. The line stands on the figure.
    const colouring = first === undefined ? 'surface' : rig ? 'heat' : 'bones';
    this.store.setView({ frame: 0, bones: [], heatLimit: undefined, split: 0.5, colouring });
  }

  /** A project as it was kept: its animation and results are read again from their files. */
  async restore(document: StudioDocument): Promise<void> {
    const { input, runs } = document;
    const item = this.library.get(input?.id);
    if (!input || !item) return;
    this.store.setSession({ opening: 'Opening your project' });
    try {
      const animation = { files: item.files, inputs: input.inputs, choices: input.choices };
      const rigs = runs.map(({ id }) => this.library.get(id)?.files[0]).filter((file) => file !== undefined);
      const opened = await ask({ type: 'open', animation, rigs, bare: true });
      this.library.set(input.id, { ...item, sequence: opened.sequence });
      runs.forEach(({ id }, k) => {
        const stored = this.library.get(id);
        if (stored) this.library.set(id, { ...stored, played: opened.rigs[k].played });
      });
      this.store.load(document);
    } finally {
      this.store.setSession({ opening: undefined });
    }
  }

  /**
   * Runs the command of a panel with what is chosen there.
   *
   * @param skin  choices of a learnt skin in place of those of the panel
   * @returns whether it ended with a run
   */
  async run(command: RunCommand, skin: Partial<SkinChoices> = {}): Promise<boolean> {
    const { document } = this.store.state;
    const { input } = document;
    const item = this.library.get(input?.id);
    if (!input || !item || this.#running) return false;
    const starts = command === 'reduce' || command === 'envelope';
    const base = starts ? this.base : undefined;
    if (starts && !base) return false;
    const rig = base && this.library.get(base.id)?.files[0];
    const options = {
      fit: () => fitOptions(document.fit, input.choices),
      skeleton: () => skeletonOptions(document.skeleton, input.choices),
      reduce: () => reduceOptions(document.reduce, input.choices),
      envelope: () => envelopeOptions({ ...document.skin, ...skin }, input.choices, input.frames),
    }[command]();
    // A reduction of several clips is judged by what the rig itself plays.
    const examples = command === 'reduce' && (input.clips?.length ?? 1) > 1 ? [] : input.inputs;
    const inputs = rig ? [rig.path, ...examples] : input.inputs;
    const request = { command, inputs, output: `${stemOf(input)}-${OUTPUT_NAMES[command]}.glb`, options } as JobRequest;
    const files = rig ? [rig, ...item.files] : item.files;
    const animation = { files: item.files, inputs: input.inputs, choices: input.choices };
    const made = document.runs.find((run) => isRunOf(run, command, options, inputs, base?.id));
    if (made) {
      this.store.edit('Show another run', (now) => ({ ...now, shown: made.id, compared: base?.id }));
      return true;
    }
    const { colouring } = this.store.state.view;
    // What comes about is bones and weights; what came out is judged by its error.
    if (!starts) this.store.setView({ colouring: 'weights', bones: [] });
    const ran = await this.#work(command, (watcher, signal) =>
      ask({ type: 'run', request, files, threads: this.threads, measure: animation }, watcher, signal),
    );
    const ended = ran?.value.measured !== undefined;
    if (!starts) this.store.setView({ colouring: ended && colouring === 'surface' ? 'heat' : colouring });
    if (!ran?.value.measured) return false;
    const { report, written, measured } = ran.value;
    const details = { report, options, inputs, from: base?.id, seconds: ran.seconds, curve: ran.curve };
    const run = this.#keep(command, measured, written[0], details);
    this.store.edit(`Run ${command}`, (now) => {
      if (now.input?.id !== input.id) return now;
      return { ...now, runs: [...now.runs, run], shown: run.id, compared: base?.id };
    });
    return true;
  }

  /** Another command in a worker, with what it writes. Undefined where it failed or was stopped. */
  async make(request: JobRequest, files: readonly StoredFile[]): Promise<readonly StoredFile[] | undefined> {
    return (await this.produce(request, files))?.written;
  }

  /** The same with its report. */
  async produce(
    request: JobRequest,
    files: readonly StoredFile[],
  ): Promise<
    { readonly written: readonly StoredFile[]; readonly report: object; readonly seconds: number } | undefined
  > {
    const ran = await this.#work(request.command, (watcher, signal) =>
      ask({ type: 'run', request, files, threads: this.threads }, watcher, signal),
    );
    return ran && { ...ran.value, seconds: ran.seconds };
  }

  /**
   * The body of a run, filled with tetrahedra and bound to its bones; where vertices of the animation were painted, these
   * hold to the bones. Undefined where it failed or was stopped.
   */
  async bind(run: string): Promise<BoundBody | undefined> {
    const { threads } = this;
    const { files, played } = this.library.get(run) ?? { files: [] };
    const [rig] = files;
    if (!rig) return undefined;
    const painted = this.store.state.document.volume.constraints;
    const held = new Set(painted);
    const all = played ? Uint32Array.from(played.vertices.keys()) : undefined;
    const constraints = painted && all?.filter((i) => held.has(played?.vertices[i] ?? -1));
    const { spacing, grading } = this.store.state.document.volume.more as { spacing?: number; grading?: number };
    const solid = { ...(spacing !== undefined && { spacing }), ...(grading !== undefined && { grading }) };
    const bound = await this.#work('volume', (watcher, signal) =>
      ask({ type: 'bind', rig, constraints, threads, solid }, watcher, signal),
    );
    return bound?.value;
  }

  /** The skeleton of a motion capture, fitted into the body where landmarks are given. Undefined where it failed. */
  async capture(file: StoredFile, landmarks?: Landmarks): Promise<CaptureSkeleton | undefined> {
    try {
      return await ask({ type: 'capture', file, landmarks }, this.#warnings());
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  /** The joints of a body plan in the mesh at rest, to begin with. Undefined where it has no such limbs. */
  async embed(like: BodyPlan): Promise<CaptureSkeleton | undefined> {
    const rest = this.library.get(this.store.state.document.input?.id)?.sequence?.rest;
    if (!rest) return undefined;
    const { positions, triangles } = rest;
    const { threads } = this;
    const found = await this.#work('volume', (watcher, signal) =>
      ask({ type: 'embed', mesh: { positions, triangles }, like, threads }, watcher, signal),
    );
    return found?.value;
  }

  /** Makes a rig of the skeleton that was placed by hand. */
  async rig(): Promise<void> {
    const { input, volume } = this.store.state.document;
    const item = this.library.get(input?.id);
    if (!input || !item) return;
    const { threads } = this;
    const animation = { files: item.files, inputs: input.inputs, choices: input.choices };
    const path = `${stemOf(input)}-placed.glb`;
    const capture = this.#fittedCapture();
    const ran = await this.#work('volume', (watcher, signal) =>
      ask({ type: 'rig', animation, joints: volume.joints, path, threads, capture }, watcher, signal),
    );
    if (!ran?.value.measured) return;
    const { written, measured } = ran.value;
    const run = this.#keep('skeleton', measured, written[0], { inputs: input.inputs, seconds: ran.seconds });
    this.store.edit('Use the skeleton', (now) => ({ ...now, runs: [...now.runs, run], shown: run.id }));
  }

  /** The capture that the placed skeleton is of, where nobody has changed that since. */
  #fittedCapture() {
    const { capture, joints } = this.store.state.document.volume;
    const [file] = this.library.get(capture?.id)?.files ?? [];
    const isSame = capture && JSON.stringify(capture.joints) === JSON.stringify(joints);
    return file && isSame ? { file, landmarks: capture.landmarks } : undefined;
  }

  cancel(): void {
    this.#running?.abort();
  }

  /** The rig that a reduction or a learnt skin starts from: the one that is shown, or what that one was made from. */
  get base(): FinishedRun | undefined {
    return baseOf(this.store.state.document);
  }

  /** What is posed, filled and performed: the run that is shown, with its skin. */
  get character(): FinishedRun | undefined {
    return characterOf(this.store.state.document);
  }

  #keep(
    command: RunCommand,
    { played, parts, frameErrors, spread }: Measured,
    file: StoredFile,
    { report = {}, options, inputs = [], from, seconds = 0, curve = [] }: Partial<FinishedRun>,
  ): FinishedRun {
    const id = this.library.newId('run');
    this.library.set(id, { files: [file], played });
    const [bones, weights] = [played.rig.bones.length, played.rig.weights.slots];
    const squares = frameErrors.reduce((sum, e) => sum + e * e, 0);
    return {
      id,
      command,
      options,
      inputs,
      from,
      title: titleOf(command, bones, weights, options ?? {}),
      bones,
      jointed: played.rig.bones.some(({ parent }) => parent >= 0),
      weights,
      eRms: Math.sqrt(squares / Math.max(1, frameErrors.length)),
      frameErrors,
      spread,
      seconds,
      bytes: file.blob.size,
      parts,
      report,
      curve,
    };
  }

  async #work<T>(
    command: CommandName,
    start: (watcher: TaskWatch, signal: AbortSignal) => Promise<T>,
  ): Promise<{ value: T; seconds: number; curve: readonly number[] } | undefined> {
    if (this.#running) return undefined;
    const running = new AbortController();
    this.#running = running;
    this.store.setSession({ notice: undefined });
    const watch = new TaskWatch(command, this.store, (snapshot) => this.onLive(snapshot));
    try {
      const value = await start(watch, running.signal);
      return { value, seconds: watch.seconds, curve: watch.curve };
    } catch (error) {
      if (!(error instanceof Stopped)) this.#fail(error);
      return undefined;
    } finally {
      this.#running = undefined;
      this.store.setSession({ task: undefined });
      this.onLive(undefined);
    }
  }

  async #guarded(opening: string, work: () => Promise<void>): Promise<void> {
    this.store.setSession({ opening, notice: undefined });
    try {
      await work();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.store.setSession({ opening: undefined });
    }
  }

  #warnings() {
    return { onWarning: (text: string) => this.store.setSession({ notice: { kind: 'info', text } }) };
  }

  #fail(error: unknown): void {
    this.store.setSession({ notice: { kind: 'error', text: error instanceof Error ? error.message : String(error) } });
  }
}
