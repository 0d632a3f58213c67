// In a page.
import { writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { bindVolume, tetrahedralize } from '@pelt/skin';
import { elbowScene } from '@pelt/testkit';
import { bonesOf, meshOf, PeltLoaderPlugin, peltMeshesOf, VolumeDriver } from '@pelt/three';
import { Scene } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const { rig, clip } = elbowScene({ frames: 5, rings: 13, sides: 8 });
const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser, { all: true }));
const gltf = await loader.parseAsync(bytes.slice().buffer, '');
const scene = new Scene().add(gltf.scene);
scene.updateMatrixWorld(true);
const [mesh] = peltMeshesOf(scene);

// A solid body inside the surface, held by the joints; made once, ahead of time as a rule.
const numerics = await openNumerics({ threads: 1 });
const { mesh: body } = tetrahedralize(meshOf('arm', [mesh.geometry]));
const bones = bonesOf(mesh.skeleton.joints, mesh.skeleton.inverses);
const { skin, fixed, yielding } = bindVolume({ body, bones }, {}, { numerics });
numerics.close();

const driver = new VolumeDriver(mesh, { body, skin, fixed, yielding });
await driver.ready;
const changed = new Promise((resolve) => driver.addEventListener('change', resolve));
mesh.skeleton.joints[1].rotation.z = 1;
scene.updateMatrixWorld(true);
driver.update(); // asks for the shape in the pose of the joints
await changed;
const tip = mesh.geometry.getAttribute('position').count - 1;
const moved = mesh.geometry.getAttribute('position').getY(tip) - rig.mesh.positions[3 * tip + 1];
if (Math.abs(moved) < 0.1) throw new Error('the shape is in the geometry of the mesh');
driver.dispose();
