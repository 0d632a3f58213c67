/** An FBX by assimp: its scene as JSON, with bones and keys, blended here as its documentation says. */
import assimp from 'assimpjs';
import { Matrix4, Quaternion, Vector3 } from 'three';

const CENTIMETRE = 0.01;
let library;

export async function readAssimp(bytes) {
  library ??= await assimp();
  const list = new library.FileList();
  list.AddFile('scene.fbx', new Uint8Array(bytes));
  const result = library.ConvertFileList(list, 'assjson');
  if (!result.IsSuccess() || result.FileCount() === 0) throw new Error(`assimp: ${result.GetErrorCode()}`);
  const scene = JSON.parse(new TextDecoder().decode(result.GetFile(0).GetContent()));
  const nodes = [];
  collect(scene.rootnode, undefined, nodes);
  const parts = nodes.filter(({ meshes }) => meshes.length > 0);
  const count = (index) => scene.meshes[index].faces.length * 3;
  return {
    materials: scene.materials.flatMap(({ properties }) =>
      properties.filter(({ key }) => key === '?mat.name').map(({ value }) => value),
    ),
    clips: (scene.animations ?? []).map(({ name }) => ({ name, start: 0, end: 0 })),
    parts: parts.map(({ name, meshes }) => ({ name, corners: meshes.reduce((sum, m) => sum + count(m), 0) })),
    play(clip, time) {
      const worlds = worldsAt(nodes, clip >= 0 ? scene.animations[clip] : undefined, time);
      const out = new Float32Array(
        parts.reduce((sum, { meshes }) => sum + meshes.reduce((n, m) => n + 3 * count(m), 0), 0),
      );
      let at = 0;
      for (const part of parts) {
        for (const m of part.meshes) {
          const positions = posed(scene.meshes[m], worlds, part);
          for (const i of scene.meshes[m].faces.flat()) {
            for (let c = 0; c < 3; c++) out[at++] = CENTIMETRE * positions[3 * i + c];
          }
        }
      }
      return out;
    },
  };
}

function collect(node, parent, nodes) {
  const own = { name: node.name, parent, local: matrixOf(node.transformation), meshes: node.meshes ?? [] };
  nodes.push(own);
  for (const child of node.children ?? []) collect(child, own, nodes);
}

/** Rows first. */
function matrixOf(values) {
  return new Matrix4().set(...values);
}

function worldsAt(nodes, animation, time) {
  const moved = new Map();
  for (const { name, positionkeys, rotationkeys, scalingkeys } of animation?.channels ?? []) {
    const tick = time * (animation.tickspersecond || 24);
    const position = new Vector3(...between(positionkeys, tick, lerp));
    const rotation = between(rotationkeys, tick, arc);
    const scale = new Vector3(...between(scalingkeys, tick, lerp));
    moved.set(name, new Matrix4().compose(position, new Quaternion(...rotation.slice(1), rotation[0]), scale));
  }
  const worlds = new Map();
  for (const node of nodes) {
    const local = moved.get(node.name) ?? node.local;
    worlds.set(node.name, node.parent ? worlds.get(node.parent.name).clone().multiply(local) : local);
  }
  return worlds;
}

function between(keys, tick, mix) {
  const next = keys.findIndex(([time]) => time > tick);
  if (next <= 0) return (next === 0 ? keys[0] : keys[keys.length - 1])[1];
  const [[t0, a], [t1, b]] = [keys[next - 1], keys[next]];
  return mix(a, b, (tick - t0) / (t1 - t0));
}

function lerp(a, b, u) {
  return a.map((value, c) => value + u * (b[c] - value));
}

/** Quaternions with the real part first. */
function arc(a, b, u) {
  const q = new Quaternion(a[1], a[2], a[3], a[0]).slerp(new Quaternion(b[1], b[2], b[3], b[0]), u);
  return [q.w, q.x, q.y, q.z];
}

function posed({ vertices, bones = [] }, worlds, { name }) {
  const out = new Float64Array(vertices.length);
  const point = new Vector3();
  if (bones.length === 0) {
    for (let k = 0; k < vertices.length; k += 3) {
      point.fromArray(vertices, k).applyMatrix4(worlds.get(name)).toArray(out, k);
    }
    return out;
  }
  for (const { name: bone, offsetmatrix, weights } of bones) {
    const matrix = worlds.get(bone).clone().multiply(matrixOf(offsetmatrix));
    for (const [i, weight] of weights) {
      point.fromArray(vertices, 3 * i).applyMatrix4(matrix);
      out[3 * i] += weight * point.x;
      out[3 * i + 1] += weight * point.y;
      out[3 * i + 2] += weight * point.z;
    }
  }
  return out;
}
