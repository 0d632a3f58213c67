/**
 * Commands × characters. Every cell plays the skin that is in the file, at every key, and keeps everything else; or it
 * refuses in one line that names the file, the reason and the cure. There is no third outcome.
 */
import { openPc2, readCharacter, readGltf, readPc2, sourceOfBytes, writeAlembic } from '@pelt/io';
import { type Character, PeltError } from '@pelt/model';
import { playerOf } from '@pelt/skin/play/runtime';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../io/test/gltf/glb-json.ts';
import type { JobRequest } from '../../src/request/check-request.ts';
import type { DrawnScene, SceneDrawer } from '../../src/view/draw-scene.ts';
import { poseSubject } from '../../src/view/pose-subject.ts';
import type { ViewScene } from '../../src/view/scene.ts';
import type { Workspace } from '../workspace.ts';
import { CHARACTERS, matrixFiles } from './characters.ts';
import { apart, farthest, framesOf, keptOf, sizeOf } from './kept.ts';

type Name = keyof typeof CHARACTERS;

/** Positions of the surface, against its size. */
const EXACT = 1e-5;
/** What packing may cost: a tenth of a pixel of 2160, and as much for what is beyond linear blending. */
const PACKED = 2e-4;

let space: Workspace;
const characters = new Map<string, Character>();

beforeAll(async () => {
  space = await matrixFiles();
  for (const name of Object.keys(CHARACTERS)) characters.set(name, await characterIn(name));
}, 60_000);

async function characterIn(name: string): Promise<Character> {
  return readCharacter(await readGltf(space.read(name), { name }));
}

const given = (name: Name) => characters.get(name) as Character;

// biome-ignore lint/suspicious/noExplicitAny: cells run every command by one function
const run = (command: string, inputs: string[], output: string | undefined, options: object, host = {}): Promise<any> =>
  space.run({ command, inputs, ...(output && { output }), options } as JobRequest<'info'>, host);

/** The whole file is as it was, but for what the command is for. */
async function expectKept(output: string, name: Name, added: readonly string[] = []): Promise<Character> {
  const before = keptOf(space.read(name));
  const after = keptOf(space.read(output));
  expect(after.animations.slice(0, added.length).map((animation: { name: string }) => animation.name)).toEqual(added);
  expect({ ...after, animations: after.animations.slice(added.length) }).toEqual(before);
  const character = await characterIn(output);
  const own = given(name);
  expect(character.skin.kind).toBe(own.skin.kind);
  own.clips.forEach((_, clip) => {
    expect(farthest(own, character, clip, clip + added.length), own.clips[clip].name).toBeLessThan(EXACT);
  });
  return character;
}

/** The frames of a cache are what the evaluator shows of a clip. */
function expectFrames(cache: string, name: Name, clips: readonly number[], exact = EXACT): void {
  const { frames } = readPc2(space.read(cache));
  const player = playerOf(given(name));
  const size = given(name).mesh.positions.length;
  let at = 0;
  for (const clip of clips) {
    for (const t of given(name).clips[clip].times.keys()) {
      const far = apart(framesOf(player, clip, t), frames.subarray(at, at + size)) / sizeOf(given(name));
      expect(far, `clip ${clip}, frame ${t}`).toBeLessThan(exact);
      at += size;
    }
  }
  expect(frames).toHaveLength(at);
}

/** Everything that a file with other joints does not have is named. */
function expectNamed(warnings: readonly string[]): void {
  const said = warnings.join('\n');
  for (const lost of ['KHR_lights_punctual', 'ACME_tag', 'a camera', 'extras']) expect(said).toContain(lost);
}

/** All clips of the character as a mesh and its cache, by the evaluator. */
function putTruth(name: Name, clip: number): void {
  const player = playerOf(given(name));
  const { mesh, clips } = given(name);
  const frames = Float32Array.from([...clips[clip].times.keys()].flatMap((t) => [...framesOf(player, clip, t)]));
  space.put('truth.abc', writeAlembic({ name: 'truth', rest: mesh, frames, times: clips[clip].times }));
}

class Sketch implements SceneDrawer {
  scene!: ViewScene;
  async requireFormat(): Promise<void> {}
  async draw(scene: ViewScene): Promise<DrawnScene> {
    this.scene = scene;
    return { bytes: Uint8Array.of(1) };
  }
}

/** Runs a command on a character and checks what came of it. */
type Cell = (name: Name) => Promise<void>;

const COMMANDS: Readonly<Record<string, Cell>> = {
  info: async (name) => {
    const { report } = await run('info', [name], undefined, {});
    const [file] = report.files;
    expect(file.skin).toBe(CHARACTERS[name]);
    expect(file.clips.map((clip: { name: string }) => clip.name)).toEqual(given(name).clips.map((clip) => clip.name));
  },
  'convert to GLB': async (name) => {
    await run('convert', [name], 'out.glb', {});
    await expectKept('out.glb', name);
  },
  'convert to a cache': async (name) => {
    await run('convert', [name], 'out.pc2', {});
    expectFrames('out.pc2', name, [...given(name).clips.keys()]);
  },
  'convert one clip': async (name) => {
    const last = given(name).clips.length - 1;
    await run('convert', [name], 'out.glb', { clip: String(last) });
    const { clips } = await characterIn('out.glb');
    expect(clips).toHaveLength(1);
    expect(farthest(given(name), await characterIn('out.glb'), last, 0)).toBeLessThan(EXACT);
    expect({ ...keptOf(space.read('out.glb')), animations: [] }).toEqual({
      ...keptOf(space.read(name)),
      animations: [],
    });
  },
  'convert, baked': async (name) => {
    await run('convert', [name], 'out.glb', { bake: true });
    const baked = await characterIn('out.glb');
    for (const clip of given(name).clips.keys()) expect(farthest(given(name), baked, clip)).toBeLessThan(EXACT);
  },
  'convert, packed': async (name) => {
    await run('convert', [name], 'out.glb', { compress: 'meshopt' });
    const packed = await characterIn('out.glb');
    expect(packed.skin.kind).toBe(CHARACTERS[name]);
    // Vertices have another order: the same shape is compared by what `compare` finds.
    const { report } = await run('compare', [name, 'out.glb'], undefined, {});
    expect(report.error.rmsePercent / 100).toBeLessThan(PACKED);
    const { extensionsUsed, ...kept } = keptOf(space.read('out.glb'));
    const before = keptOf(space.read(name));
    expect(extensionsUsed).toEqual(expect.arrayContaining(before.extensionsUsed));
    for (const key of ['extensions', 'extras', 'cameras', 'scenes']) expect(kept[key]).toEqual(before[key]);
    expect(kept.animations.map(({ pointers }: Json) => pointers)).toEqual(
      before.animations.map(({ pointers }: Json) => pointers),
    );
    expect(kept.materials.map((material: { name: string }) => material.name)).toEqual(['wet']);
    expect(packed.morphs.map((morph) => morph.name)).toEqual(given(name).morphs.map((morph) => morph.name));
  },
  compare: async (name) => {
    putTruth(name, 0);
    const { report: b } = await run('compare', ['truth.abc', name], undefined, {});
    expect(b.error.rmsePercent).toBeLessThan(100 * EXACT);
    const { report: a } = await run('compare', [name, 'truth.abc'], undefined, {});
    expect(a.error.rmsePercent).toBeLessThan(100 * EXACT);
  },
  view: async (name) => {
    const drawScene = new Sketch();
    await run('view', [name], 'out.png', { frame: [2, 3] }, { drawScene });
    const [subject] = drawScene.scene.subjects;
    const player = playerOf(given(name));
    [1, 2].forEach((t, k) => {
      const posed = poseSubject(subject, 0, k, new Float32Array(subject.positions.length));
      expect(apart(posed, framesOf(player, 0, t)) / sizeOf(given(name))).toBeLessThan(EXACT);
    });
  },
  reduce: async (name) => {
    const { report } = await run('reduce', [name], 'out.glb', { weights: 8, loops: false });
    expect(report.after.error.rmsePercent).toBeLessThan(100 * EXACT);
    await expectKept('out.glb', name);
  },
  'reduce to fewer weights': async (name) => {
    await run('reduce', [name], 'out.glb', { weights: 1, loops: false });
    const { skins: _, meshes: __, ...kept } = keptOf(space.read('out.glb'));
    const { skins: ___, meshes: ____, ...before } = keptOf(space.read(name));
    if (CHARACTERS[name] === 'linear') expect(kept).toEqual(before);
  },
  'reduce to two layers': async (name) => {
    const { report } = await run('reduce', [name], 'out.glb', { method: 'two-layer', masters: true, virtual: 12 });
    expect((await characterIn('out.glb')).skin.kind).toBe('two-layer');
    expectNamed(report.warnings);
  },
  'pose, saved': async (name) => {
    await run('pose', [name], undefined, { save: 'out.glb' });
    const character = await expectKept('out.glb', name);
    expect(character.poseSpace).toBeDefined();
  },
  'pose over time': async (name) => {
    const { report } = await run('pose', [name], 'out.glb', { path: 'handles.json' });
    await run('pose', [name], 'out.pc2', { path: 'handles.json' });
    const posed = await expectKept('out.glb', name, ['posed']);
    // What the file plays is what was found, as far as its nodes can show it; they say how far that is.
    const { frames } = readPc2(space.read('out.pc2'));
    const size = posed.mesh.positions.length;
    const player = playerOf(posed);
    const far = [0, 1, 2].map((t) => apart(framesOf(player, 0, t), frames.subarray(t * size, (t + 1) * size)));
    const said = report.warnings.some((message: string) => message.includes('cannot show all of the motion'));
    if (!said) expect(Math.max(...far) / sizeOf(posed)).toBeLessThan(1e-3);
  },
  puppet: async (name) => {
    const bone = given(name).joints[Math.floor(given(name).joints.length / 2)].name;
    space.put('own.json', space.text('pairs.json').replace('BONE', bone));
    const options = { motion: 'me.bvh', pairs: 'own.json', delay: 0, travel: 0, turn: false };
    await run('puppet', [name], 'out.glb', options);
    const moved = await expectKept('out.glb', name, ['performance']);
    const player = playerOf(moved);
    const [rest, up] = [2, 45].map((t) => framesOf(player, 0, t));
    expect(apart(rest, up) / sizeOf(moved)).toBeGreaterThan(0.05);
  },
  clean: async (name) => {
    const { report } = await run('clean', [name], 'out.glb', { jitter: 0, feet: false });
    const [before, after] = [name, 'out.glb'].map((file) => keptOf(space.read(file)));
    const named = ({ animations }: Json) => animations.map((animation: { name: string }) => animation.name);
    expect(named(after)).toEqual(named(before));
    expect({ ...after, animations: [] }).toEqual({ ...before, animations: [] });
    const cleaned = await characterIn('out.glb');
    expect(cleaned.skin.kind).toBe(given(name).skin.kind);
    // Stretches that nodes cannot show are named.
    const said = report.warnings.some((message: string) => message.includes('cannot show all of the motion'));
    given(name).clips.forEach((clip, k) => {
      if (!said) expect(farthest(given(name), cleaned, k, k), clip.name).toBeLessThan(EXACT);
    });
  },
  envelope: async (name) => {
    const clip = given(name).clips[0]?.name;
    await run('envelope', [name, 'rest.obj', 'shapes.pc2'], 'out.glb', { rigClip: clip, proxies: 6 });
    const learnt = await characterIn('out.glb');
    expect(learnt.skin.kind).toBe('envelope');
    const withoutSkin = (glb: Uint8Array) =>
      JSON.parse(JSON.stringify(keptOf(glb)).replace(/"JOINTS_\d",|,"WEIGHTS_\d"/g, ''));
    expect(withoutSkin(space.read('out.glb'))).toEqual(withoutSkin(space.read(name)));
  },
  'skeleton --skeleton': async (name) => {
    await run('skeleton', ['rest.obj', 'shapes.pc2'], 'out.glb', { skeleton: name });
    const { joints } = await characterIn('out.glb');
    const used = given(name).joints.map((joint) => joint.name);
    for (const joint of joints) expect(used).toContain(joint.name);
  },
  'fit --lock bones': async (name) => {
    putTruth(name, 0);
    await run('fit', ['truth.abc'], 'out.glb', {
      lock: 'bones',
      rig: name,
      rigClip: '0',
      bones: given(name).joints.length,
    });
    const { joints } = await characterIn('out.glb');
    expect(joints.map((joint) => joint.name)).toEqual(given(name).joints.map((joint) => joint.name));
  },
  'fit --lock weights': async (name) => {
    putTruth(name, 0);
    await run('fit', ['truth.abc'], 'out.glb', { lock: 'weights', rig: name });
    const [locked, own] = [(await characterIn('out.glb')).skin, given(name).skin];
    if (locked.kind !== 'linear' || own.kind !== 'linear') throw new Error('fits blend linearly');
    expect(apart(locked.weights.weights, own.weights.weights)).toBeLessThan(1e-6);
  },
  volume: async (name) => {
    const { report } = await run('volume', [name], 'out.pc2', { rig: name, step: 4 });
    expect(report.frames).toBe(Math.ceil(given(name).clips[0].times.length / 4));
    const cache = openPc2(sourceOfBytes(space.read('out.pc2')));
    const first = new Float32Array(3 * cache.points);
    cache.readFrame(0, first);
    expect(apart(first, playerRest(name)) / sizeOf(given(name))).toBeLessThan(1e-2);
  },
};

function playerRest(name: Name): Float32Array {
  return given(name).mesh.positions;
}

const NOT_LINEAR = (cure: RegExp) =>
  Object.fromEntries(['dual.glb', 'envelope.glb', 'psd.glb', 'eigenskin.glb'].map((name) => [name, cure]));
const POSE_SPACE = (cure: RegExp) => ({ 'poser.glb': cure, 'details.glb': cure });

/** Cells that refuse, and why. */
const REFUSED: Readonly<Record<string, Partial<Record<string, RegExp>>>> = {
  'reduce to fewer weights': {
    ...NOT_LINEAR(/found for linear blending, so reduce the rig first/),
    ...POSE_SPACE(/reduce the rig first, then pelt pose --save/),
  },
  'reduce to two layers': {
    'vrm1.glb': /has springs on 1 bones, and other bones would lose them; --method refit --keep-bones leaves them/,
    ...NOT_LINEAR(/found for linear blending, so reduce the rig first/),
    ...POSE_SPACE(/reduce the rig first, then pelt pose --save/),
  },
  envelope: {
    'several.glb': /has no vertex where vertex \d+ of the rig rests; give the shapes of the same mesh/,
    'layers.glb': /has a skin in two layers; .* give the rig from before/,
    'eigenskin.glb': /EigenSkin; .* give the rig from before/,
    ...POSE_SPACE(/learn the skin first, then pelt pose --save/),
  },
  'skeleton --skeleton': {
    'eigenskin.glb': /the given skeleton has 3 roots/,
    'details.glb': /the given skeleton has 3 roots/,
  },
  'fit --lock bones': { 'layers.glb': /two layers; a fit blends linearly, so give a rig that does/ },
  'fit --lock weights': {
    ...NOT_LINEAR(/a fit blends linearly, so give a rig that does/),
    'layers.glb': /a fit blends linearly, so give a rig that does/,
  },
};

describe.each(Object.keys(COMMANDS))('%s', (command) => {
  it.each(Object.keys(CHARACTERS) as Name[])('of %s', { timeout: 30_000 }, async (name) => {
    const reason = REFUSED[command]?.[name];
    const message = await COMMANDS[command](name).then(
      () => undefined,
      (error) => {
        if (!(error instanceof PeltError)) throw error;
        return error.message;
      },
    );
    if (!reason) expect(message).toBeUndefined();
    else {
      expect(message).toMatch(reason);
      expect(message).not.toContain('\n');
    }
  });
});
