/** In the page: loads a file, goes to a moment of its clip, and reads the skinned positions back from the GPU. */

import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera.js';
import { Constants } from '@babylonjs/core/Engines/constants.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { ShaderStore } from '@babylonjs/core/Engines/shaderStore.js';
import { AppendSceneAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial.js';
import { RenderTargetTexture } from '@babylonjs/core/Materials/Textures/renderTargetTexture.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/core/Animations/animatable.js';
import '@babylonjs/core/Loading/loadingScreen.js';
import '@babylonjs/core/Engines/Extensions/engine.renderTarget.js';
import '@babylonjs/core/Meshes/meshBuilder.js';
import '@babylonjs/core/Morph/index.js';
import '@babylonjs/core/Engines/Extensions/engine.rawTexture.js';
import '@babylonjs/core/Shaders/ShadersInclude/bonesDeclaration.js';
import '@babylonjs/core/Shaders/ShadersInclude/bonesVertex.js';
import '@babylonjs/core/Shaders/ShadersInclude/bakedVertexAnimationDeclaration.js';
import '@babylonjs/core/Shaders/ShadersInclude/morphTargetsVertexGlobalDeclaration.js';
import '@babylonjs/core/Shaders/ShadersInclude/morphTargetsVertexDeclaration.js';
import '@babylonjs/core/Shaders/ShadersInclude/morphTargetsVertexGlobal.js';
import '@babylonjs/core/Shaders/ShadersInclude/morphTargetsVertex.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { peltSkinOf, registerPelt } from '@pelt/babylon';

registerPelt();

const SIDE = 64;
/** Every vertex is a point in a pixel of its own, whose colour is where the vertex is before the node's transform. */
ShaderStore.ShadersStore.captureVertexShader = `
  precision highp float;
  attribute vec3 position;
  attribute float pixel;
  #include<bonesDeclaration>
  #include<bakedVertexAnimationDeclaration>
  #include<morphTargetsVertexGlobalDeclaration>
  #include<morphTargetsVertexDeclaration>[0..maxSimultaneousMorphTargets]
  varying vec3 place;
  void main() {
    vec3 positionUpdated = position;
    mat4 finalWorld = mat4(1.0);
    #include<morphTargetsVertexGlobal>
    #include<morphTargetsVertex>[0..maxSimultaneousMorphTargets]
    #include<bonesVertex>
    place = (finalWorld * vec4(positionUpdated, 1.0)).xyz;
    vec2 at = vec2(mod(pixel, ${SIDE}.0), floor(pixel / ${SIDE}.0));
    gl_Position = vec4((at + 0.5) / ${SIDE}.0 * 2.0 - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
  }`;
ShaderStore.ShadersStore.captureFragmentShader = `
  precision highp float;
  varying vec3 place;
  void main() { gl_FragColor = vec4(place, 1.0); }`;

async function open(file: string) {
  const canvas = document.createElement('canvas');
  const engine = new Engine(canvas, false);
  const scene = new Scene(engine);
  new FreeCamera('camera', new Vector3(0, 0, -5), scene);
  await AppendSceneAsync(`/${file}`, scene);
  const parts = scene.meshes.filter((mesh) => mesh.getTotalVertices() > 0) as Mesh[];
  for (const group of scene.animationGroups) group.stop();
  return { engine, scene, parts };
}

async function capture(scene: Scene, mesh: Mesh): Promise<number[]> {
  const n = mesh.getTotalVertices();
  if (n > SIDE * SIDE) throw new Error(`${n} vertices do not fit`);
  mesh.setVerticesData(
    'pixel',
    Float32Array.from({ length: n }, (_, i) => i),
    false,
    1,
  );
  const material = new ShaderMaterial('capture', scene, 'capture', {
    attributes: ['position', 'pixel'],
    uniforms: ['world'],
  });
  material.pointsCloud = true;
  material.disableDepthWrite = true;
  const target = new RenderTargetTexture('capture', SIDE, scene, {
    type: Constants.TEXTURETYPE_FLOAT,
    samplingMode: Constants.TEXTURE_NEAREST_SAMPLINGMODE,
    generateMipMaps: false,
  });
  target.renderList = [mesh];
  target.setMaterialForRendering(mesh, material);
  mesh.alwaysSelectAsActiveMesh = true;
  for (let tries = 0; !material.isReady(mesh); tries++) {
    if (tries > 500) throw new Error(`the shader is not ready: ${material.getEffect()?.getCompilationError()}`);
    await new Promise((done) => setTimeout(done, 10));
  }
  scene.render();
  target.render();
  const pixels = (await target.readPixels()) as Float32Array;
  target.dispose();
  material.dispose();
  return Array.from({ length: 3 * n }, (_, k) => pixels[4 * Math.floor(k / 3) + (k % 3)]);
}

const lab = {
  /** @param seconds  in the first clip; absent: the rest pose with sliders at these values */
  async play(file: string, seconds: number | null, values: Readonly<Record<string, number>> = {}) {
    const { engine, scene, parts } = await open(file);
    const skin = peltSkinOf(parts[0]);
    for (const [name, value] of Object.entries(values)) skin?.sliders?.set(name, value);
    if (seconds !== null) {
      const [group] = scene.animationGroups;
      group.start(false, 1);
      group.goToFrame(seconds * 60);
      group.pause();
    }
    const positions: number[] = [];
    for (const part of parts) positions.push(...(await capture(scene, part)));
    const sliders = skin?.sliders && [...skin.sliders.values];
    const curves = scene.animationGroups.map((group) => group.targetedAnimations.length);
    const influencers = parts[0].numBoneInfluencers;
    const bones = parts[0].skeleton?.bones.length ?? 0;
    engine.dispose();
    return { kind: skin?.kind, positions, sliders, curves, influencers, bones };
  },
};

export type Played = Awaited<ReturnType<typeof lab.play>>;

Object.assign(globalThis, { lab });
