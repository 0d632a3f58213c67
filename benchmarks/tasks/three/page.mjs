/** In the browser: frames of two rivals in alternation, and everything that is timed beside the GPU. */
import { PeltLoaderPlugin, PoseSolver, peltMeshesOf } from '@pelt/three';
import { enhance, PeltCrowd, updateSkins, uploadBytes } from '@pelt/three/webgpu';
import { AnimationMixer, DirectionalLight, Matrix4, PerspectiveCamera, Raycaster, Scene, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { RenderTarget, WebGPURenderer } from 'three/webgpu';
import { capture } from '../../../packages/three/test/browser/lab/capture.ts';

const FRAMES_TIMED = 30;
const renderers = new Map();
const camera = new PerspectiveCamera(50, 1, 0.1, 100);
camera.position.set(0.5, 0.5, 3);
camera.lookAt(0.3, 0.4, 0);

async function rendererOf(kind) {
  if (!renderers.has(kind)) {
    const renderer = new WebGPURenderer({ forceWebGL: kind === 'webgl2' });
    await renderer.init();
    // A target of its own: one that two renderers share is destroyed by one of them while the other draws into it.
    renderers.set(kind, { renderer, target: new RenderTarget(16, 16) });
  }
  return renderers.get(kind);
}

async function load(file, plugin = true) {
  const loader = new GLTFLoader();
  if (plugin) loader.register((parser) => new PeltLoaderPlugin(parser, { all: true }));
  const gltf = await loader.parseAsync(await (await fetch(file)).arrayBuffer(), '');
  const scene = new Scene();
  scene.add(gltf.scene, new DirectionalLight());
  const mixer = new AnimationMixer(gltf.scene);
  if (gltf.animations.length > 0) mixer.clipAction(gltf.animations[0]).play();
  gltf.scene.traverse((child) => {
    child.frustumCulled = false;
  });
  return { gltf, scene, mixer, mesh: peltMeshesOf(gltf.scene)[0] };
}

/** Ends when the GPU has done all that was asked. */
async function finish(renderer) {
  const { device, gl } = renderer.backend;
  if (device) await device.queue.onSubmittedWorkDone();
  else gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
}

/**
 * Milliseconds of a frame of each variant, in turn: the least of the rounds, which other work on the machine disturbs
 * least.
 *
 * @param variants  { file, enhance?: options, stock?: three's own skinning }
 */
async function compareFrames(kind, variants, rounds, frames) {
  const { renderer, target } = await rendererOf(kind);
  renderer.setRenderTarget(target);
  const shown = [];
  for (const { file, enhance: options, stock } of variants) {
    const set = await load(file, !stock);
    if (options) enhance(set.scene, renderer, options);
    shown.push({ ...set, times: [], bytes: set.mesh ? uploadBytes(set.mesh) : 0 });
  }
  let time = 0;
  for (let round = 0; round < rounds + 2; round++) {
    for (const { scene, mixer, times } of shown) {
      let total = 0;
      for (let k = 0; k < frames; k++) {
        time += 0.013;
        mixer.setTime(time);
        await finish(renderer);
        const start = performance.now();
        updateSkins(scene, renderer);
        renderer.render(scene, camera);
        await finish(renderer);
        total += performance.now() - start;
      }
      // The first rounds compile.
      if (round >= 2) times.push(total / frames);
    }
  }
  renderer.setRenderTarget(null);
  return shown.map(({ times, bytes, mesh, gltf }) => {
    mesh?.dispose();
    gltf.scene.traverse((child) => child.geometry?.dispose());
    return { ms: Math.min(...times), bytes };
  });
}

/** Vertices as the GPU and as the CPU side of the mesh have them, and exact normals. */
async function shapes(kind, file, options, time) {
  const { renderer } = await rendererOf(kind);
  const { scene, mesh, mixer } = await load(file);
  enhance(scene, renderer, options);
  mixer.setTime(time);
  scene.updateMatrixWorld(true);
  updateSkins(scene, renderer);
  const { positions, normals } = await capture(renderer, scene, mesh);
  const expected = new Float32Array(positions.length);
  const point = new Vector3();
  mesh.skeleton.update();
  for (let i = 0; 3 * i < expected.length; i++) mesh.getVertexPosition(i, point).toArray(expected, 3 * i);
  const spans = [0, 1, 2].map((c) => {
    const own = expected.filter((_, k) => k % 3 === c);
    return own.reduce((a, b) => Math.max(a, b)) - own.reduce((a, b) => Math.min(a, b));
  });
  let farthest = 0;
  for (let k = 0; k < positions.length; k += 3) {
    const apart = Math.hypot(...[0, 1, 2].map((c) => positions[k + c] - expected[k + c]));
    if (!(apart <= farthest)) farthest = apart;
  }
  const angle = widestAngle(mesh.geometry.index.array, expected, normals);
  mesh.dispose();
  mesh.geometry.dispose();
  return { farthest: farthest / Math.hypot(...spans), angle };
}

function widestAngle(triangles, positions, normals) {
  const sums = new Float64Array(positions.length);
  const at = (i) => [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => at(triangles[t + k]));
    const [u, v] = [b, c].map((p) => p.map((value, k) => value - a[k]));
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    for (let k = 0; k < 3; k++) for (let c2 = 0; c2 < 3; c2++) sums[3 * triangles[t + k] + c2] += n[c2];
  }
  let widest = 0;
  for (let k = 0; k < sums.length; k += 3) {
    const [x, y, z, u, v, w] = [sums[k], sums[k + 1], sums[k + 2], normals[k], normals[k + 1], normals[k + 2]];
    const sine = Math.hypot(y * w - z * v, z * u - x * w, x * v - y * u);
    const angle = (Math.atan2(sine, x * u + y * v + z * w) * 180) / Math.PI;
    if (!(angle <= widest)) widest = angle;
  }
  return widest;
}

/** Median milliseconds of a ray against a mesh whose pose has just changed. */
async function picking(file, rays) {
  const { scene, mesh, mixer } = await load(file);
  const raycaster = new Raycaster();
  const times = [];
  let hits = 0;
  for (let k = 0; k < rays; k++) {
    mixer.setTime(0.01 * k);
    scene.updateMatrixWorld(true);
    raycaster.ray.origin.set(3 * Math.sin(k), 0.5, 3 * Math.cos(k));
    raycaster.ray.direction
      .set(0, 0.62 + 0.1 * Math.sin(5 * k), 0)
      .sub(raycaster.ray.origin)
      .normalize();
    const start = performance.now();
    hits += Math.min(1, raycaster.intersectObject(mesh).length);
    if (k > 5) times.push(performance.now() - start);
  }
  return { ms: median(times), hits };
}

/** Milliseconds of animation and matrices in a frame, with three's own skinning or with ours on the GPU. */
async function jointCost(file, plugin, samples) {
  const { scene, mixer, gltf } = await load(file, plugin);
  if (plugin) enhance(scene, (await rendererOf('webgpu')).renderer);
  const skeletons = new Set();
  gltf.scene.traverse((child) => {
    if (child.skeleton) skeletons.add(child.skeleton);
  });
  const times = [];
  for (let sample = 0; sample < samples + 2; sample++) {
    const start = performance.now();
    // A page's clock is coarse: several frames at a time.
    for (let k = 0; k < FRAMES_TIMED; k++) {
      mixer.update(0.011);
      scene.updateMatrixWorld();
      for (const skeleton of skeletons) skeleton.update();
    }
    if (sample >= 2) times.push((performance.now() - start) / FRAMES_TIMED);
  }
  return median(times);
}

async function crowdFrames(kind, files, count, rounds) {
  const { renderer, target } = await rendererOf(kind);
  renderer.setRenderTarget(target);
  const shown = [];
  for (const file of files) {
    const set = await load(file);
    const crowd = new PeltCrowd(set.mesh, renderer, count);
    const place = new Matrix4();
    for (let k = 0; k < count; k++) crowd.setMatrixAt(k, place.makeTranslation(k % 10, 0, -Math.floor(k / 10)));
    const scene = new Scene();
    scene.add(crowd, new DirectionalLight());
    shown.push({ ...set, crowd, stage: scene, times: [] });
  }
  for (let round = 0; round < rounds + 2; round++) {
    for (const { mixer, scene, mesh, crowd, stage, times } of shown) {
      for (let k = 0; k < count; k++) {
        mixer.setTime(0.02 * (round + k));
        scene.updateMatrixWorld(true);
        crowd.setPoseFrom(k, mesh);
      }
      await finish(renderer);
      const start = performance.now();
      crowd.update(renderer);
      renderer.render(stage, camera);
      await finish(renderer);
      if (round >= 2) times.push(performance.now() - start);
    }
  }
  renderer.setRenderTarget(null);
  return shown.map(({ crowd, times }) => {
    const { uploadBytes: bytes } = crowd;
    crowd.dispose();
    return { ms: Math.min(...times), bytes };
  });
}

/** A thousand instances of a baked clip: bytes and JavaScript of one frame. */
async function bakedCrowd(kind, file, count) {
  const { renderer } = await rendererOf(kind);
  const { gltf, mesh } = await load(file);
  const crowd = new PeltCrowd(mesh, renderer, count, { clip: gltf.animations[0], root: gltf.scene });
  const times = [];
  for (let t = 0; t < 60; t++) {
    const start = performance.now();
    for (let k = 0; k < count; k++) crowd.setTimeAt(k, 0.01 * t + 0.1 * k);
    crowd.update(renderer);
    times.push(performance.now() - start);
  }
  const bytes = crowd.uploadBytes / count;
  crowd.dispose();
  return { ms: median(times), bytes };
}

/** Opening a poser, and the round trips of a drag. */
async function dragging(file, steps) {
  const { scene, mesh } = await load(file);
  scene.updateMatrixWorld(true);
  const began = performance.now();
  const solver = new PoseSolver(mesh);
  await solver.ready;
  const opening = performance.now() - began;
  const n = mesh.geometry.getAttribute('position').count;
  const point = new Vector3();
  for (const vertex of [0, Math.floor(n / 2)]) solver.setPinned(vertex, true);
  await answer(solver);
  const grabbed = Math.floor(n / 3);
  mesh.getVertexPosition(grabbed, point);
  const times = [];
  for (let k = 0; k < steps; k++) {
    const goal = point.clone().add(new Vector3(0.1 * Math.sin(0.1 * k), 0.05 * Math.sin(0.07 * k), 0));
    const start = performance.now();
    solver.pull(grabbed, goal);
    await answer(solver);
    times.push(performance.now() - start);
    await new Promise((resume) => setTimeout(resume, 5));
  }
  solver.dispose();
  times.sort((a, b) => a - b);
  return {
    opening,
    p50: times[Math.floor(0.5 * times.length)],
    p95: times[Math.floor(0.95 * times.length)],
    vertices: n,
  };
}

function answer(solver) {
  return new Promise((resolve, reject) => {
    const done = () => {
      solver.removeEventListener('change', done);
      resolve();
    };
    solver.addEventListener('change', done);
    solver.addEventListener('error', ({ error }) => reject(error));
  });
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

Object.assign(globalThis, {
  bench: { compareFrames, shapes, picking, jointCost, crowdFrames, bakedCrowd, dragging },
});
