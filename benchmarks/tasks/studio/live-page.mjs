/** In the browser: a performer's joints to the pose of a character, as the live view asks for it. */
import { PeltLoaderPlugin, PuppetDriver, peltMeshesOf } from '@pelt/three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** @param frames  positions of the performer's joints */
async function liveSteps(file, registration, performer, frames) {
  const loader = new GLTFLoader();
  loader.register((parser) => new PeltLoaderPlugin(parser, { all: true }));
  const gltf = await loader.parseAsync(await (await fetch(file)).arrayBuffer(), '');
  const [mesh] = peltMeshesOf(gltf.scene);
  const pairs = registration.pairs.map(({ name, performer: joints, character }) => ({
    name,
    performer: Float32Array.from(joints),
    character: { transforms: Float64Array.from(character) },
  }));
  const options = { parts: 'body', contacts: 'auto', loose: [], restAfter: 0.6 };
  const driver = new PuppetDriver(mesh, { ...registration, pairs }, performer, { puppet: options });
  await driver.ready;
  const times = [];
  for (const [t, joints] of frames.entries()) {
    const start = performance.now();
    const answered = new Promise((done) => {
      const heard = () => {
        driver.removeEventListener('change', heard);
        done(performance.now());
      };
      driver.addEventListener('change', heard);
    });
    driver.update(Float32Array.from(joints), t / 30);
    times.push((await answered) - start);
    await new Promise((resume) => setTimeout(resume, 5));
  }
  driver.dispose();
  return times;
}

Object.assign(globalThis, { bench: { liveSteps } });
