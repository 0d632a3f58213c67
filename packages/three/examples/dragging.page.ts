// In a page.
import { PeltLoaderPlugin, PoseControls, type PoseSolver, peltMeshesOf } from '@pelt/three';
import { PerspectiveCamera, Scene, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser));
const gltf = await loader.loadAsync('models/poser.glb'); // written by pelt pose
const scene = new Scene().add(gltf.scene);
scene.updateMatrixWorld(true);
const [mesh] = peltMeshesOf(scene);

// Pointer and keys on an element: drag, Shift and press to pin, Ctrl+Z to go back.
const controls = new PoseControls(mesh, new PerspectiveCamera(), document.body);
await controls.ready;

// The solver by itself knows no pointer.
const solver: PoseSolver = controls.solver;
const before = mesh.getVertexPosition(0, new Vector3());
solver.mark();
solver.hold([mesh.geometry.getAttribute('position').count - 1]); // stays, while another vertex is pulled
solver.pull(0, before.clone().add(new Vector3(0, 0.1, 0)));
await new Promise((resolve) => solver.addEventListener('change', resolve));
mesh.skeleton.update();
if (mesh.getVertexPosition(0, new Vector3()).y <= before.y) throw new Error('the vertex follows');
if (!solver.undo()) throw new Error('there is a step to take back');

// By the examples themselves: half of the first, with a vertex that stays where it is from then on.
solver.setBlend(solver.blend.map((_, e) => (e === 0 ? 0.5 : 0)));
await new Promise((resolve) => solver.addEventListener('change', resolve));
if (Math.abs(solver.blend[0] - 0.5) > 0.01) throw new Error('half of the first example');
solver.setRegions({ pinned: [0] });
controls.dispose();
