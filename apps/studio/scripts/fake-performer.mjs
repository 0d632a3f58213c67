// @ts-check
/**
 * A film of a drawn person for Chromium's fake camera, so that tests and screenshots have somebody to track: shaded limbs,
 * a face, and arms that are raised and lowered. Raw frames (YUV4MPEG2, 4:2:0), drawn in the browser that will watch them.
 */

/**
 * What the arms do for a while: degrees from hanging down; or nobody is there.
 *
 * @typedef {{ left: number, right: number, seconds: number, gone?: boolean }} Act
 */

/** Frames of the film; it is repeated. */
const [WIDTH, HEIGHT, FPS] = [320, 240, 10];

/**
 * @param {import('playwright-core').Page} page  any page; it is only drawn in
 * @param {readonly Act[]} acts
 * @returns {Promise<Buffer>}
 */
export async function fakePerformer(page, acts) {
  const frames = acts.flatMap(({ seconds, ...act }) => Array(Math.round(seconds * FPS)).fill(act));
  const drawn = new Map();
  /** @type {Buffer[]} */
  const parts = [Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FPS}:1 Ip A1:1 C420jpeg\n`)];
  for (const act of frames) {
    const key = JSON.stringify(act);
    if (!drawn.has(key)) {
      const pixels = await page.evaluate(drawPerson, { ...act, width: WIDTH, height: HEIGHT });
      drawn.set(key, toYuv(Buffer.from(pixels, 'base64')));
    }
    parts.push(Buffer.from('FRAME\n'), drawn.get(key));
  }
  return Buffer.concat(parts);
}

/** RGBA to planes of luma and halved chroma. @param {Buffer} pixels */
function toYuv(pixels) {
  const out = Buffer.alloc((WIDTH * HEIGHT * 3) / 2);
  const [u, v] = [WIDTH * HEIGHT, (WIDTH * HEIGHT * 5) / 4];
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const k = 4 * (y * WIDTH + x);
      const [r, g, b] = pixels.subarray(k, k + 3);
      out[y * WIDTH + x] = Math.round(0.299 * r + 0.587 * g + 0.114 * b);
      if (x % 2 || y % 2) continue;
      const at = ((y / 2) * WIDTH) / 2 + x / 2;
      out[u + at] = Math.round(128 - 0.169 * r - 0.331 * g + 0.5 * b);
      out[v + at] = Math.round(128 + 0.5 * r - 0.419 * g - 0.081 * b);
    }
  }
  return out;
}

/**
 * In the page: a person on a canvas, in units of 1/480 of its height.
 *
 * @param {{ left: number, right: number, gone?: boolean, width: number, height: number }} act
 */
function drawPerson({ left, right, gone, width, height }) {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const g = canvas.getContext('2d', { willReadFrequently: true });
  if (!g) throw new Error('no canvas');
  const room = g.createLinearGradient(0, 0, 0, height);
  for (const [at, colour] of /** @type {const} */ ([
    [0, '#cfd3d6'],
    [0.8, '#b7b4ae'],
    [0.81, '#8f857a'],
    [1, '#a39a8e'],
  ])) {
    room.addColorStop(at, colour);
  }
  g.fillStyle = room;
  g.fillRect(0, 0, width, height);
  const unit = height / 480;
  g.setTransform(unit, 0, 0, unit, width / 2, 0);
  const [skin, shirt, trousers, shoes] = [
    ['#d9a27e', '#9c6a4c'],
    ['#3e6a9e', '#28466b'],
    ['#3b3d46', '#22232a'],
    ['#2b2220', '#15100f'],
  ];
  /** A limb: two round ends and what is between, darker at the rims. */
  const limb = (
    /** @type {number[]} */ [ax, ay],
    /** @type {number[]} */ [bx, by],
    /** @type {number} */ wide,
    /** @type {number} */ narrow,
    /** @type {string[]} */ [light, dark],
  ) => {
    const across = Math.atan2(bx - ax, ay - by);
    const [nx, ny] = [Math.cos(across) * wide, Math.sin(across) * wide];
    const shade = g.createLinearGradient(ax + nx, ay + ny, ax - nx, ay - ny);
    shade.addColorStop(0, dark);
    shade.addColorStop(0.4, light);
    shade.addColorStop(0.65, light);
    shade.addColorStop(1, dark);
    g.fillStyle = shade;
    g.beginPath();
    g.arc(ax, ay, wide, across, across + Math.PI);
    g.arc(bx, by, narrow, across + Math.PI, across + 2 * Math.PI);
    g.fill();
  };
  const oval = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ rx,
    /** @type {number} */ ry,
    /** @type {string | CanvasGradient} */ fill,
  ) => {
    g.fillStyle = fill;
    g.beginPath();
    g.ellipse(x, y, rx, ry, 0, 0, 7);
    g.fill();
  };
  const arm = (/** @type {number} */ side, /** @type {number} */ degrees) => {
    const angle = (degrees * Math.PI) / 180;
    const along = (/** @type {number[]} */ [x, y], /** @type {number} */ length) => [
      x + side * Math.sin(angle) * length,
      y + Math.cos(angle) * length,
    ];
    const shoulder = [side * 44, 136];
    const elbow = along(shoulder, 62);
    const wrist = along(elbow, 56);
    limb(shoulder, elbow, 15, 12, shirt);
    limb(elbow, wrist, 11, 8, skin);
    limb(wrist, along(wrist, 18), 9, 6, skin);
  };
  const person = () => {
    for (const side of [-1, 1]) {
      limb([side * 20, 262], [side * 24, 345], 21, 15, trousers);
      limb([side * 24, 345], [side * 26, 430], 15, 10, trousers);
      limb([side * 26, 436], [side * 36, 446], 9, 7, shoes);
    }
    // The person faces the camera: their right arm is on the left of the picture.
    arm(-1, right);
    arm(1, left);
    limb([0, 150], [0, 240], 50, 40, shirt);
    limb([0, 118], [0, 100], 12, 11, skin);
    const face = g.createRadialGradient(-4, 72, 4, -4, 72, 34);
    face.addColorStop(0, '#e6b491');
    face.addColorStop(1, skin[1]);
    oval(0, 66, 27, 32, '#2c1d14');
    oval(0, 76, 22, 29, face);
    for (const side of [-1, 1]) {
      oval(side * 23, 78, 4, 7, skin[1]);
      oval(side * 9, 71, 5, 2.8, '#f4efe8');
      oval(side * 9, 71, 2.4, 2.6, '#2b1a10');
      oval(side * 9, 63, 6, 1.2, '#3a261a');
    }
    oval(0, 83, 3.5, 2, '#a06a4a');
    oval(0, 92, 8, 2.6, '#a8504a');
  };
  if (!gone) person();
  const { data } = g.getImageData(0, 0, width, height);
  let text = '';
  for (let k = 0; k < data.length; k += 8192) text += String.fromCharCode(...data.subarray(k, k + 8192));
  return btoa(text);
}
