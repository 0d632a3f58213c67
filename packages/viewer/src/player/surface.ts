/** A subject of the scene as it plays: its surface, coloured by what is asked for, its edges and its bones. */
import { distancesToOriginal, poseSubject, type ViewLook, type ViewSubject } from '@pelt/jobs/view';
import * as THREE from 'three';
import { ACCENT, INK, NEUTRAL } from '../drawing/colour.ts';
import { boneFrames } from '../scene/bone-frames.ts';
import { heatColour, partColours, weightColours } from '../scene/colours.ts';
import { CornerNormals } from './corner-normals.ts';

const SEE_THROUGH = 0.4;

export class Surface {
  readonly scene = new THREE.Scene();
  readonly subject: ViewSubject;
  /** n × 3, as posed */
  readonly positions: Float32Array;
  /** n distances to the original, % of its diagonal; undefined where there is none */
  heat: Float64Array | undefined;
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;
  readonly #normals: CornerNormals;
  readonly #wire: THREE.LineSegments;
  readonly #links: THREE.LineSegments;
  readonly #joints: THREE.Points;
  readonly #mark: THREE.Points;
  readonly #weightColours: Float32Array | undefined;
  readonly #partColours: Float32Array | undefined;
  readonly #original: ViewSubject;

  /** @param original  the first subject of the scene */
  constructor(subject: ViewSubject, original: ViewSubject, flat: boolean) {
    this.subject = subject;
    this.#original = original;
    this.positions = subject.positions.slice();
    this.#normals = new CornerNormals(subject.positions, subject.triangles, flat);
    this.#weightColours = weightColours(subject);
    this.#partColours = partColours(subject);
    const corners = subject.triangles.length;
    const geometry = new THREE.BufferGeometry();
    for (const name of ['position', 'normal', 'color']) {
      geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * corners), 3));
    }
    const material = new THREE.MeshLambertMaterial({
      vertexColors: true,
      side: THREE.DoubleSide,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    const lines = new THREE.BufferGeometry().setAttribute('position', geometry.getAttribute('position'));
    lines.setIndex(edgeCorners(subject.triangles, subject.positions.length / 3));
    this.#wire = new THREE.LineSegments(lines, lineMaterial(INK, 0.35, true));
    const bones = subject.rig?.names.length ?? 0;
    this.#joints = new THREE.Points(pointGeometry(bones), dotMaterial(ACCENT, 6));
    this.#links = new THREE.LineSegments(pointGeometry(2 * bones), lineMaterial(ACCENT, 1, false));
    this.#mark = new THREE.Points(pointGeometry(1), dotMaterial('#1d4ed8', 10));
    this.#mark.visible = false;
    for (const object of [this.#wire, this.#joints, this.#links, this.#mark]) object.frustumCulled = false;
    this.scene.add(this.mesh, this.#wire, this.#links, this.#joints, this.#mark);
    this.scene.add(new THREE.HemisphereLight('#ffffff', '#b9b2a6', 2.2));
  }

  /** Poses and colours the surface; a clip that is shorter stays at its last frame. */
  show(clip: number, frame: number, look: ViewLook): void {
    const { subject, positions, mesh } = this;
    const count = subject.clips[clip]?.times.length ?? 0;
    const t = Math.min(frame, count - 1);
    poseSubject(subject, clip, t, positions);
    if (subject.original) this.heat = distancesToOriginal(subject, this.#original, clip, t);
    const { triangles } = subject;
    const [place, normal, colour] = ['position', 'normal', 'color'].map(
      (name) => mesh.geometry.getAttribute(name) as THREE.BufferAttribute,
    );
    const to = place.array as Float32Array;
    for (let c = 0; c < triangles.length; c++) {
      for (let x = 0; x < 3; x++) to[3 * c + x] = positions[3 * triangles[c] + x];
    }
    this.#normals.compute(positions, normal.array as Float32Array);
    this.#paint(look, colour.array as Float32Array);
    for (const attribute of [place, normal, colour]) attribute.needsUpdate = true;
    this.#wire.visible = look.edges;
    this.#showBones(clip, t, look.bones);
  }

  /** @param vertex  undefined for none */
  mark(vertex: number | undefined): void {
    this.#mark.visible = vertex !== undefined;
    if (vertex === undefined) return;
    const place = this.#mark.geometry.getAttribute('position') as THREE.BufferAttribute;
    place.set(this.positions.subarray(3 * vertex, 3 * vertex + 3));
    place.needsUpdate = true;
  }

  #paint(look: ViewLook, out: Float32Array): void {
    const { triangles } = this.subject;
    const heat = look.heat === undefined ? undefined : this.heat;
    // Beside a heat map, colours of the file would be taken for heat.
    const plain = look.heat === undefined ? this.#partColours : undefined;
    const colours = look.weights ? this.#weightColours : plain;
    const neutral = new THREE.Color(NEUTRAL).toArray();
    for (let c = 0; c < triangles.length; c++) {
      const i = triangles[c];
      const own = heat ? heatColour(heat[i], look.heat ?? 1) : (colours?.subarray(3 * i, 3 * i + 3) ?? neutral);
      for (let x = 0; x < 3; x++) out[3 * c + x] = own[x];
    }
  }

  #showBones(clip: number, frame: number, shown: boolean): void {
    const { rig } = this.subject;
    const visible = shown && rig?.skinned === true;
    this.#joints.visible = visible;
    this.#links.visible = visible;
    const { material } = this.mesh;
    material.transparent = visible;
    material.opacity = visible ? SEE_THROUGH : 1;
    if (!visible || !rig) return;
    const frames = boneFrames(this.subject, clip, frame);
    const origin = (j: number) => [frames[12 * j + 3], frames[12 * j + 7], frames[12 * j + 11]];
    const [joints, links] = [this.#joints, this.#links].map(
      ({ geometry }) => geometry.getAttribute('position') as THREE.BufferAttribute,
    );
    rig.parents.forEach((parent, j) => {
      joints.set(origin(j), 3 * j);
      links.set([...origin(parent < 0 ? j : parent), ...origin(j)], 6 * j);
    });
    joints.needsUpdate = true;
    links.needsUpdate = true;
  }
}

/** For every edge of the mesh two corners at its ends. */
function edgeCorners(triangles: Uint32Array, n: number): number[] {
  const seen = new Set<number>();
  const out: number[] = [];
  for (let c = 0; c < triangles.length; c++) {
    const next = c % 3 === 2 ? c - 2 : c + 1;
    const [a, b] = [triangles[c], triangles[next]];
    const key = Math.min(a, b) * n + Math.max(a, b);
    if (seen.has(key)) continue;
    seen.add(key);
    out.push(c, next);
  }
  return out;
}

function pointGeometry(count: number): THREE.BufferGeometry {
  return new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * count), 3));
}

function lineMaterial(color: string, opacity: number, depthTest: boolean): THREE.LineBasicMaterial {
  return new THREE.LineBasicMaterial({ color, opacity, transparent: true, depthTest });
}

function dotMaterial(color: string, size: number): THREE.PointsMaterial {
  return new THREE.PointsMaterial({ color, size, sizeAttenuation: false, depthTest: false, transparent: true });
}
