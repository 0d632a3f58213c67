import {
  bonesOf,
  linearModel,
  meshOf,
  PaletteSkeleton,
  PeltMesh,
  peltMeshesOf,
  rigOf,
  setStockSkin,
  skinOf,
  twoLayerModel,
} from '@pelt/three';
import { Bone, BufferAttribute, BufferGeometry, Group, Matrix4, MeshStandardMaterial, Vector3 } from 'three';

// A triangle on a virtual bone, which is the mean of two joints.
const geometry = new BufferGeometry();
geometry.setAttribute('position', new BufferAttribute(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), 3));
geometry.setIndex([0, 1, 2]);
const vertices = { slots: 1, bones: new Uint16Array(3), weights: new Float32Array(3).fill(1) };
const masters = { slots: 2, bones: Uint16Array.of(0, 1), weights: Float32Array.of(0.5, 0.5) };
const model = twoLayerModel(vertices, masters, 2);

const joints = ['left', 'right'].map((name) => Object.assign(new Bone(), { name }));
const inverses = joints.map(() => new Matrix4());
const mesh = new PeltMesh(geometry, new MeshStandardMaterial(), model);
setStockSkin(geometry, model.skin); // for renderers that play it with three's own skinning
mesh.bind(new PaletteSkeleton(joints, inverses, model));

const scene = new Group().add(mesh, ...joints);
joints[1].position.x = 2;
scene.updateMatrixWorld(true);
mesh.skeleton.update();
if (mesh.getVertexPosition(0, new Vector3()).x !== 1) throw new Error('half of what one joint moves');
if (peltMeshesOf(scene)[0] !== mesh) throw new Error('the mesh is found in the scene');

// Geometry and joints as a rig of pelt, and its weights as a model without virtual bones.
const weights = skinOf(geometry);
const rig = rigOf('triangle', [geometry], joints, inverses, weights);
if (rig.bones[1].name !== bonesOf(joints, inverses)[1].name) throw new Error('the joints by name');
if (rig.mesh.triangles.join() !== meshOf('triangle', [geometry]).triangles.join()) throw new Error('one triangle');
if (linearModel(weights).added !== 0) throw new Error('a linear model adds nothing to the joints');
