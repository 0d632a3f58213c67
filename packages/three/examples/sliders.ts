import { slidersExtension, writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { fitSliders } from '@pelt/skin/sliders';
import { faceShapes } from '@pelt/testkit';
import { type MeshSliders, type PeltContent, PeltLoaderPlugin } from '@pelt/three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const numerics = await openNumerics();
const { rig, sliders: maps } = fitSliders(faceShapes({ step: 0.02 }), { bones: 6, weights: 4 }, { numerics });
numerics.close();
const { bytes } = await writeSkinnedGlb({ rig, clips: [], extensions: [slidersExtension(maps)] });

const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser));
const gltf = await loader.parseAsync(bytes.buffer, '');
const { meshes, sliders } = gltf.userData.pelt as PeltContent & { sliders: MeshSliders };
sliders.set('jawOpen', 0.7);

// The same value as a morph target has it.
const [{ morphTargetDictionary = {}, morphTargetInfluences = [] }] = meshes;
if (morphTargetInfluences[morphTargetDictionary.jawOpen] !== 0.7) throw new Error('sliders are influences');
