import { linearModel, PaletteSkeleton, PeltMesh, RestSpace } from '@pelt/three';
import { Bone, BoxGeometry, Group, Matrix4, MeshBasicMaterial } from 'three';

// A character that lies on its back in its own file, in centimetres, and stands upright in the scene, in metres.
const root = new Group();
const armature = new Group();
armature.rotation.x = -Math.PI / 2;
armature.scale.setScalar(0.01);
const joint = new Bone();
const geometry = new BoxGeometry(20, 20, 180);
const n = geometry.getAttribute('position').count;
const skin = { slots: 1, bones: new Uint16Array(n), weights: new Float32Array(n).fill(1) };
const mesh = new PeltMesh(geometry, new MeshBasicMaterial(), linearModel(skin));
mesh.bind(new PaletteSkeleton([joint], [new Matrix4()], linearModel(skin)));
root.add(armature.add(mesh, joint));

const space = new RestSpace(mesh, root);
// One metre up in the scene is a hundred units along the mesh's own z.
const pose = space.toMesh(Float64Array.from([1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0]));
if (Math.abs(pose[11] - 100) > 1e-9) throw new Error('not a metre up');
