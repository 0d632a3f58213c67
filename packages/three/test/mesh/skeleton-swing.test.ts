/** Secondary motion of a loaded file, beside the reference player. */
import { dynamicsExtension, envelopeExtension, readCharacter, readGltf, writeSkinnedGlb } from '@pelt/io';
import { playerOf } from '@pelt/skin/play/runtime';
import { smallestDynamics, smallestEnvelope, swingScene } from '@pelt/testkit';
import { Matrix4, Vector3 } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { describe, expect, it } from 'vitest';
import { type PeltMesh, peltMeshesOf } from '../../src/index.ts';
import { type Loaded, loadModel } from '../scene.ts';

const scene = swingScene('tail');
const take = scene.take({ kind: 'sway', seed: 1, strength: 0.6 }, { seconds: 2, fps: 30 });
const n = scene.rig.mesh.positions.length / 3;
const envelope = smallestEnvelope(scene.rig);
const dynamics = smallestDynamics({
  modes: new Float64Array(12).fill(0.1, 0, 4),
  poles: Float64Array.of(12.5, 0.125, 1),
  channels: new Float64Array(18).fill(1, 0, 6),
  readOut: Float64Array.of(0, -1),
});
const extensions = (map: Uint32Array) => [envelopeExtension(envelope, map), dynamicsExtension(dynamics)];
const { bytes } = await writeSkinnedGlb({ rig: scene.rig, clips: [take.clip], extensions });
const { times } = take.clip;

/** Positions of all vertices in the mesh's own space. */
function shown(mesh: PeltMesh): number[] {
  mesh.updateMatrixWorld(true);
  mesh.skeleton.update();
  return Array.from({ length: n }, (_, i) => mesh.getVertexPosition(i, new Vector3()).toArray()).flat();
}

function largest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((most, value, k) => Math.max(most, Math.abs(value - b[k])), 0);
}

function rollTo({ play, mesh }: Loaded, end: number): void {
  for (let t = 0; t <= end; t++) {
    play(times[t]);
    mesh.advance(t > 0 ? times[t] - times[t - 1] : 0);
  }
}

describe('PeltMesh.advance', () => {
  it('swings as the reference player does', async () => {
    const loaded = await loadModel(bytes);
    const character = readCharacter(await readGltf(bytes));
    const player = playerOf(character);
    const state = player.swing?.createState();
    if (!state) throw new Error('the file swings');
    const positions = new Float32Array(3 * n);
    for (let t = 0; t <= 40; t++) {
      const pose = character.clips[0].transforms.subarray(12 * t, 12 * (t + 1));
      player.swing?.step(state, pose, t > 0 ? times[t] - times[t - 1] : 0);
      player.positions(pose, undefined, positions, state);
    }
    rollTo(loaded, 40);
    expect(largest(shown(loaded.mesh), positions)).toBeLessThan(1e-4);
    const still = await loadModel(bytes);
    still.play(times[40]);
    expect(largest(shown(still.mesh), positions)).toBeGreaterThan(1e-3);
  });

  it('swings when the figure is moved, comes to rest, and forgets at a reset', async () => {
    const { mesh, gltf, play, scene: root } = await loadModel(bytes);
    play(0);
    mesh.advance(0);
    const rest = shown(mesh);
    for (let k = 1; k <= 10; k++) {
      gltf.scene.position.x = 0.02 * k;
      root.updateMatrixWorld(true);
      mesh.advance(1 / 60);
    }
    expect(largest(shown(mesh), rest)).toBeGreaterThan(1e-3);
    for (let k = 0; k < 600; k++) mesh.advance(1 / 60);
    expect(largest(shown(mesh), rest)).toBeLessThan(1e-6);
    gltf.scene.position.x = 0;
    root.updateMatrixWorld(true);
    mesh.resetSwing();
    mesh.advance(1 / 60);
    expect(largest(shown(mesh), rest)).toBeLessThan(1e-6);
  });

  it('gives every clone a state of its own, and warms up', async () => {
    const loaded = await loadModel(bytes);
    const copy = clone(loaded.gltf.scene);
    const [other] = peltMeshesOf(copy);
    rollTo(loaded, 30);
    other.advance(0);
    expect(other.skeleton.swing?.state).not.toBe(loaded.mesh.skeleton.swing?.state);
    expect(largest(shown(other), scene.rig.mesh.positions)).toBeLessThan(1e-5);
    const warm = await loadModel(bytes);
    warm.mesh.warmUp(1, (before) => warm.play(1 - before));
    expect(largest(shown(warm.mesh), shown(loaded.mesh))).toBeLessThan(0.01);
    const swung = await loadModel(bytes);
    swung.play(1);
    expect(largest(shown(warm.mesh), shown(swung.mesh))).toBeGreaterThan(1e-3);
  });

  it('swings less with less gain, and faster with more stiffness', async () => {
    const swung = async (options: Parameters<PeltMesh['tuneSwing']>[0]) => {
      const loaded = await loadModel(bytes);
      loaded.mesh.tuneSwing(options);
      rollTo(loaded, 30);
      return shown(loaded.mesh);
    };
    const [still, half, whole, stiff] = [
      await swung({ gain: 0 }),
      await swung({ gain: 0.5 }),
      await swung({}),
      await swung({ stiffness: 4 }),
    ];
    expect(largest(half, still)).toBeCloseTo(largest(whole, still) / 2, 3);
    expect(largest(stiff, whole)).toBeGreaterThan(1e-3);
  });

  it('keeps states of several figures apart, each where it stands', async () => {
    const { mesh, play } = await loadModel(bytes);
    const { skeleton } = mesh;
    const { swing } = skeleton;
    if (!swing) throw new Error('the file swings');
    play(0);
    const [moving, standing] = [swing.player.createState(), swing.player.createState()];
    for (let k = 0; k <= 10; k++) {
      swing.state = moving;
      skeleton.advance(k > 0 ? 1 / 60 : 0, new Matrix4().makeTranslation(0.02 * k, 0, 0));
      swing.state = standing;
      skeleton.advance(k > 0 ? 1 / 60 : 0, new Matrix4().makeTranslation(5, 0, 0));
    }
    expect(Math.abs(moving.amplitudes[0])).toBeGreaterThan(1e-3);
    expect(Math.abs(standing.amplitudes[0])).toBeLessThan(1e-9);
  });

  it('does nothing to a skin without dynamics', async () => {
    const plain = (await writeSkinnedGlb({ rig: scene.rig, clips: [take.clip] })).bytes;
    const { mesh, play } = await loadModel(plain);
    play(times[20]);
    const before = shown(mesh);
    mesh.advance(1 / 30);
    mesh.resetSwing();
    expect(shown(mesh)).toEqual(before);
  });
});
