/**
 * Renders a scene under a bright sky and one soft lamp. There is no time limit for a still, so the soft shadows, the
 * darkening in folds and the smooth edges are simply what they are: the mean of many plain renderings, each lit from
 * one point of the lamp and one of the sky, each moved by a part of a pixel.
 *
 * The samples come from the additive recurrence of Roberts, "The unreasonable effectiveness of quasirandom sequences",
 * 2018, in six dimensions: the same picture every time.
 */
import * as THREE from 'three';
import { BACKGROUND } from './colour.ts';
import { type CameraAxes, type CameraPlace, FIELD_OF_VIEW } from './framing.ts';

/** The root of x⁷ = x + 1, for six dimensions. */
const PHI = 1.1127756842787055;
const SHADOW_PIXELS = 1024;
/** Times π: what a white surface that faces the light sends back, as part of white. */
const LAMP = 0.62 * Math.PI;
const SKY = 0.85 * Math.PI;
const BOUNCE = 0.22 * Math.PI;
/** Spread of the lamp, as a tangent; lowest point of the sky that gives light, as a sine. */
const LAMP_SPREAD = 0.16;
const SKY_FROM = 0.2;

export interface Shot {
  readonly objects: readonly THREE.Object3D[];
  /** Of the subject. */
  readonly centre: THREE.Vector3;
  readonly radius: number;
  readonly up: THREE.Vector3;
  readonly axes: CameraAxes;
  readonly camera: CameraPlace;
  /** Height of the ground along `up`; undefined for none. */
  readonly ground: number | undefined;
}

export class Stage {
  readonly #renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true });
  readonly #quad = new THREE.Mesh(new THREE.PlaneGeometry(2, 2));
  readonly #flat = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);

  constructor() {
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = THREE.BasicShadowMap;
    this.#renderer.getContext().getExtension('EXT_float_blend');
    this.#quad.frustumCulled = false;
  }

  /**
   * @param width  device pixels
   */
  render(
    shot: Shot,
    width: number,
    height: number,
    samples: number,
  ): { canvas: HTMLCanvasElement; camera: THREE.Camera } {
    const renderer = this.#renderer;
    renderer.setPixelRatio(1);
    renderer.setSize(width, height, false);
    const { scene, lamp, sky } = buildScene(shot);
    const camera = buildCamera(shot, width / height);
    const one = new THREE.WebGLRenderTarget(width, height, { type: THREE.HalfFloatType });
    const sum = new THREE.WebGLRenderTarget(width, height, { type: THREE.FloatType, depthBuffer: false });
    const add = passMaterial('gl_FragColor = texture2D(picture, at) * scale;', true);
    const show = passMaterial('gl_FragColor = sRGBTransferOETF(vec4(texture2D(picture, at).rgb, 1.0));', false);
    const pixel = new Float32Array(4);
    add.uniforms.scale.value = 1 / samples;

    renderer.setRenderTarget(sum);
    renderer.setClearColor(0, 0);
    renderer.clear();
    for (let k = 0; k < samples; k++) {
      const u = Array.from({ length: 6 }, (_, d) => (0.5 + (k + 1) / PHI ** (d + 1)) % 1);
      placeLamp(lamp, shot, u[0], u[1]);
      placeSky(sky, shot, u[2], u[3]);
      camera.setViewOffset(width, height, u[4] - 0.5, u[5] - 0.5, width, height);
      renderer.setRenderTarget(one);
      renderer.autoClear = true;
      renderer.render(scene, camera);
      this.#pass(add, one.texture, sum);
      // Wait for it: with many samples in the queue the browser takes the page for dead.
      renderer.readRenderTargetPixels(sum, 0, 0, 1, 1, pixel);
    }
    camera.clearViewOffset();
    this.#pass(show, sum.texture, null);

    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d')?.drawImage(renderer.domElement, 0, 0);
    for (const resource of [one, sum, add, show, lamp, sky]) resource.dispose();
    return { canvas, camera };
  }

  #pass(material: THREE.ShaderMaterial, picture: THREE.Texture, target: THREE.WebGLRenderTarget | null): void {
    material.uniforms.picture.value = picture;
    this.#quad.material = material;
    this.#renderer.setRenderTarget(target);
    this.#renderer.autoClear = false;
    this.#renderer.render(this.#quad, this.#flat);
  }
}

function passMaterial(body: string, additive: boolean): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms: { picture: { value: null }, scale: { value: 1 } },
    vertexShader: 'varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }',
    fragmentShader: `uniform sampler2D picture; uniform float scale; varying vec2 at; void main() { ${body} }`,
    depthTest: false,
    depthWrite: false,
    transparent: additive,
    blending: additive ? THREE.CustomBlending : THREE.NoBlending,
    blendSrc: THREE.OneFactor,
    blendDst: THREE.OneFactor,
  });
}

function buildScene({ objects, centre, radius, up, ground }: Shot) {
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(BACKGROUND);
  scene.add(...objects);
  const bounce = new THREE.HemisphereLight('#ffffff', '#d8d2c8', BOUNCE);
  bounce.position.copy(up);
  scene.add(bounce);
  const [lamp, sky] = [LAMP, SKY].map((intensity) => shadowLight(intensity, centre, radius));
  scene.add(lamp, lamp.target, sky, sky.target);
  if (ground !== undefined) {
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(6 * radius, 6 * radius), fadingShadow());
    floor.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
    floor.position.copy(centre).addScaledVector(up, ground - centre.dot(up));
    floor.receiveShadow = true;
    scene.add(floor);
  }
  return { scene, lamp, sky };
}

/** Catches shadows near the subject and nothing farther out, so that a panel's edge cuts no shadow off. */
function fadingShadow() {
  const material = new THREE.ShadowMaterial({ opacity: 0.5 });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace(
      'void main() {',
      'varying vec2 place; void main() { place = 2.0 * uv - 1.0;',
    );
    shader.fragmentShader = shader.fragmentShader
      .replace('void main() {', 'varying vec2 place; void main() {')
      .replace('opacity *', 'opacity * smoothstep(0.38, 0.08, length(place)) *');
  };
  return material;
}

function shadowLight(intensity: number, centre: THREE.Vector3, radius: number): THREE.DirectionalLight {
  const light = new THREE.DirectionalLight('#ffffff', intensity);
  light.target.position.copy(centre);
  light.castShadow = true;
  light.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
  const reach = 1.05 * radius;
  Object.assign(light.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach });
  Object.assign(light.shadow.camera, { near: 0.5 * radius, far: 40 * radius });
  // One and a half texels: enough against stripes, too little to see.
  light.shadow.normalBias = (3 * reach) / SHADOW_PIXELS;
  return light;
}

/** Over the camera's left shoulder. */
function placeLamp(lamp: THREE.DirectionalLight, { centre, radius, axes }: Shot, u: number, v: number): void {
  const [r, angle] = [LAMP_SPREAD * Math.sqrt(u), 2 * Math.PI * v];
  const [x, y, z] = [-0.45 + r * Math.cos(angle), 0.75 + r * Math.sin(angle), 0.65];
  const direction = new THREE.Vector3()
    .addScaledVector(vector(axes.right), x)
    .addScaledVector(vector(axes.up), y)
    .addScaledVector(vector(axes.back), z);
  lamp.position.copy(centre).addScaledVector(direction.normalize(), 3 * radius);
}

function placeSky(sky: THREE.DirectionalLight, { centre, radius, up }: Shot, u: number, v: number): void {
  const height = SKY_FROM + (1 - SKY_FROM) * u;
  const [r, angle] = [Math.sqrt(1 - height * height), 2 * Math.PI * v];
  const direction = new THREE.Vector3(r * Math.cos(angle), height, r * Math.sin(angle));
  direction.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), up));
  sky.position.copy(centre).addScaledVector(direction, 3 * radius);
}

function buildCamera({ camera: { position, near, far }, axes }: Shot, aspect: number): THREE.PerspectiveCamera {
  const camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, aspect, near, far);
  camera.position.copy(vector(position));
  camera.quaternion.setFromRotationMatrix(
    new THREE.Matrix4().makeBasis(vector(axes.right), vector(axes.up), vector(axes.back)),
  );
  camera.updateMatrixWorld();
  return camera;
}

function vector([x, y, z]: readonly number[]): THREE.Vector3 {
  return new THREE.Vector3(x, y, z);
}
