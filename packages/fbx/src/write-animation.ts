/** Clips of three as animations of glTF. Tracks of single morph targets are gathered into one channel per mesh. */
import type { Document, Node } from '@gltf-transform/core';
import {
  type AnimationClip,
  type Interpolant,
  type KeyframeTrack,
  type Mesh,
  type Object3D,
  PropertyBinding,
} from 'three';
import { findMorphs } from './load-scene.ts';

const PATHS = { position: 'translation', quaternion: 'rotation', scale: 'scale' } as const;
const TYPES = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3', weights: 'SCALAR' } as const;

type Path = keyof typeof TYPES;

export function writeAnimation(
  clip: AnimationClip,
  root: Object3D,
  document: Document,
  nodes: ReadonlyMap<Object3D, Node>,
  warn: (message: string) => void,
): void {
  const animation = document.createAnimation(clip.name);
  const [buffer] = document.getRoot().listBuffers();
  const add = (target: Node, path: Path, times: Float32Array, values: Float32Array) => {
    const input = document.createAccessor().setType('SCALAR').setArray(times.slice()).setBuffer(buffer);
    const output = document.createAccessor().setType(TYPES[path]).setArray(values.slice()).setBuffer(buffer);
    const sampler = document.createAnimationSampler().setInput(input).setOutput(output).setInterpolation('LINEAR');
    animation.addSampler(sampler);
    animation.addChannel(
      document.createAnimationChannel().setTargetNode(target).setTargetPath(path).setSampler(sampler),
    );
  };
  const influences = new Map<Mesh, Map<number, KeyframeTrack>>();
  for (const track of clip.tracks) {
    const { nodeName, propertyName, propertyIndex } = PropertyBinding.parseTrackName(track.name);
    const isMorph = propertyName === 'morphTargetInfluences';
    const object = isMorph
      ? findMorphs(root, nodeName)
      : (PropertyBinding.findNode(root, nodeName) as Object3D | undefined);
    const node = object && nodes.get(object);
    if (!object || !node) {
      warn(`clip '${clip.name}' moves '${nodeName}', which is not in the scene`);
      continue;
    }
    if (isMorph) {
      const own = influences.get(object as Mesh) ?? new Map();
      influences.set(object as Mesh, own.set(Number(propertyIndex), track));
    } else if (Object.hasOwn(PATHS, propertyName)) {
      const { times, values } = strictlyIncreasing(track, track.getValueSize());
      add(node, PATHS[propertyName as keyof typeof PATHS], times, values);
    }
  }
  for (const [mesh, tracks] of influences) {
    const { times, values } = gatherInfluences(tracks, mesh.geometry.morphAttributes.position?.length ?? 0);
    add(nodes.get(mesh) as Node, 'weights', times, values);
  }
}

/** glTF wants strictly increasing times: of keys at one time the last is kept. */
function strictlyIncreasing({ times, values }: KeyframeTrack, size: number) {
  const kept: number[] = [];
  for (let k = 0; k < times.length; k++) {
    if (times[k] >= 0 && (k + 1 === times.length || times[k + 1] > times[k])) kept.push(k);
  }
  return {
    times: Float32Array.from(kept, (k) => times[k]),
    values: Float32Array.from(
      { length: kept.length * size },
      (_, k) => values[kept[Math.floor(k / size)] * size + (k % size)],
    ),
  };
}

/** All targets of a mesh at the times of any of them. */
function gatherInfluences(tracks: ReadonlyMap<number, KeyframeTrack>, targets: number) {
  const times = Float32Array.from(
    [...new Set([...tracks.values()].flatMap(({ times }) => [...times]))].sort((a, b) => a - b),
  );
  const values = new Float32Array(times.length * targets);
  for (const [target, track] of tracks) {
    // A public method that the type declarations leave out.
    const curve = (track as KeyframeTrack & { createInterpolant(): Interpolant }).createInterpolant();
    times.forEach((time, k) => {
      if (target < targets) values[k * targets + target] = curve.evaluate(time)[0];
    });
  }
  return { times, values };
}
