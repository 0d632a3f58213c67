/** From the items of a scene to three.js objects. Sizes that an item leaves open follow the picture's own size. */
import * as THREE from 'three';
import { boneObjects } from './bones.ts';
import { ACCENT, GLASS, INK, mapColour, NEUTRAL } from './colour.ts';
import type { Heat, Item, LinesItem, MeshItem, PointsItem } from './items.ts';
import { cornerNormals } from './normals.ts';

/** @param size  radius of the whole subject */
export function objectsOf(item: Item, size: number): THREE.Object3D[] {
  switch (item.kind) {
    case 'mesh':
      return meshObjects(item);
    case 'bones':
      return boneObjects(item, size);
    case 'points':
      return [spheres(item, size)];
    case 'lines':
      return [tubes(item, size)];
    case 'label':
      return [];
  }
}

/**
 * A see-through mesh shows its nearest layer alone: its depth goes first, its colour then over what lies behind, so
 * that limbs in front of limbs do not add up to mud.
 */
function meshObjects(item: MeshItem): THREE.Object3D[] {
  const geometry = meshGeometry(item);
  const opacity = item.opacity ?? 1;
  const coloured = Boolean(item.heat ?? item.colours);
  const look = {
    vertexColors: coloured,
    color: coloured ? '#ffffff' : (item.colour ?? (opacity < 1 ? GLASS : NEUTRAL)),
    side: THREE.DoubleSide,
    transparent: opacity < 1,
    opacity,
    depthWrite: opacity >= 1,
    polygonOffset: Boolean(item.edges),
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  };
  // Colours that mean something are shown without highlights.
  const material = coloured
    ? new THREE.MeshLambertMaterial(look)
    : new THREE.MeshStandardMaterial({ ...look, roughness: 0.62 });
  if (opacity < 1) firmEdges(material);
  const mesh = new THREE.Mesh(geometry, material);
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  const objects: THREE.Object3D[] = [mesh];
  if (opacity < 1) {
    const depth = new THREE.Mesh(
      geometry,
      new THREE.MeshBasicMaterial({ colorWrite: false, side: THREE.DoubleSide, transparent: true }),
    );
    depth.renderOrder = 1;
    mesh.renderOrder = 2;
    objects.push(depth);
  }
  if (item.edges) objects.push(edgeLines(item));
  return objects;
}

/** More opaque where the surface turns away, as glass is: the outline stays clear however faint the front. */
export function firmEdges(material: THREE.Material): void {
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      '#include <opaque_fragment>',
      `float facing = abs(dot(normalize(normal), normalize(vViewPosition)));
      diffuseColor.a = mix(diffuseColor.a, 1.0, 0.7 * pow(1.0 - facing, 2.5));
      #include <opaque_fragment>`,
    );
  };
}

function meshGeometry(item: MeshItem): THREE.BufferGeometry {
  const { positions, triangles } = item;
  const corners = new Float32Array(triangles.length * 3);
  for (let k = 0; k < triangles.length; k++) {
    for (let c = 0; c < 3; c++) corners[3 * k + c] = positions[3 * triangles[k] + c];
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(corners, 3));
  const normals = cornerNormals(positions, triangles, item.shading === 'flat');
  geometry.setAttribute('normal', new THREE.BufferAttribute(normals, 3));
  const colours = item.heat ? heatColours(item.heat) : item.colours;
  if (colours) {
    const values = new Float32Array(triangles.length * 3);
    for (let k = 0; k < triangles.length; k++) {
      for (let c = 0; c < 3; c++) values[3 * k + c] = colours[3 * triangles[k] + c];
    }
    geometry.setAttribute('color', new THREE.BufferAttribute(values, 3));
  }
  return geometry;
}

function heatColours({ values, min, max, map = 'heat' }: Heat): Float32Array {
  const out = new Float32Array(values.length * 3);
  const range = max - min || 1;
  for (let i = 0; i < values.length; i++) out.set(mapColour(map, (values[i] - min) / range), 3 * i);
  return out;
}

function edgeLines({ positions, triangles }: MeshItem): THREE.LineSegments {
  const count = positions.length / 3;
  const seen = new Set<number>();
  const ends: number[] = [];
  for (let k = 0; k < triangles.length; k++) {
    const [a, b] = [triangles[k], triangles[k % 3 === 2 ? k - 2 : k + 1]];
    const key = Math.min(a, b) * count + Math.max(a, b);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const i of [a, b]) ends.push(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(ends, 3));
  const lines = new THREE.LineSegments(
    geometry,
    new THREE.LineBasicMaterial({ color: INK, transparent: true, opacity: 0.4 }),
  );
  lines.renderOrder = 3;
  return lines;
}

function spheres(item: PointsItem, size: number): THREE.InstancedMesh {
  const { positions, colour, colours, radius = 0.014 * size } = item;
  const count = positions.length / 3;
  const mesh = new THREE.InstancedMesh(new THREE.SphereGeometry(radius, 20, 12), solid('#ffffff'), count);
  for (let k = 0; k < count; k++) {
    mesh.setMatrixAt(
      k,
      new THREE.Matrix4().makeTranslation(positions[3 * k], positions[3 * k + 1], positions[3 * k + 2]),
    );
    mesh.setColorAt(k, new THREE.Color(colours?.[k] ?? colour ?? ACCENT));
  }
  mesh.castShadow = true;
  return mesh;
}

function tubes(item: LinesItem, size: number): THREE.InstancedMesh {
  const { segments, colour, radius = 0.004 * size } = item;
  const count = segments.length / 6;
  const geometry = new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
  const mesh = new THREE.InstancedMesh(geometry, solid(colour ?? INK), count);
  for (let k = 0; k < count; k++) {
    const from = new THREE.Vector3(segments[6 * k], segments[6 * k + 1], segments[6 * k + 2]);
    const along = new THREE.Vector3(segments[6 * k + 3], segments[6 * k + 4], segments[6 * k + 5]).sub(from);
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.clone().normalize());
    mesh.setMatrixAt(k, new THREE.Matrix4().compose(from, turn, new THREE.Vector3(radius, along.length(), radius)));
  }
  mesh.castShadow = true;
  return mesh;
}

function solid(colour: string): THREE.MeshStandardMaterial {
  return new THREE.MeshStandardMaterial({ color: colour, roughness: 0.6 });
}
