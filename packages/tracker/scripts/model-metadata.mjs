// @ts-check
/**
 * Adds metadata to a TensorFlow Lite model: how pixels become its input. The models of the older MediaPipe packages carry
 * none, because their graphs knew it; the newer tasks ask the model.
 *
 * A model is a FlatBuffer, in which offsets are relative and point forwards: a new root table with a longer list of buffers
 * is put in front, and everything else moves back as a whole.
 *
 * References: tensorflow/lite/schema/schema.fbs and tensorflow/lite/support/metadata/metadata_schema.fbs.
 */
import { writeFlatBuffer } from './flat-buffer.mjs';

/** @typedef {import('./flat-buffer.mjs').Node} Node */

const HEADER = 8;
/** Fields of the root table `Model`. */
const FIELDS = { version: 0, buffers: 4, metadata: 6, count: 8 };
/** Names by which the schemas and the tasks know these things. */
const MODEL_IDENTIFIER = 'TFL3';
const METADATA_IDENTIFIER = 'M001';
const METADATA_NAME = 'TFLITE_METADATA';
const IMAGE_PROPERTIES = 2;
const RGB = 1;
const NORMALIZATION = 1;

/**
 * @param {Uint8Array} model
 * @param {{ mean: number, deviation: number }} pixels  input of the model: (value − mean) / deviation, of values from 0 to 255
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function withMetadata(model, pixels) {
  const root = readRoot(model);
  const buffer = { table: [{ bytes: writeMetadata(pixels) }] };
  /** @param {number} shift  that everything else moves back */
  const write = (shift) => {
    const moved = (/** @type {number} */ at) => ({ at: at + shift });
    /** @type {(import('./flat-buffer.mjs').Field | undefined)[]} */
    const fields = root.fields.map((at) => (at === undefined ? undefined : moved(at)));
    fields[FIELDS.version] = { word: root.version };
    fields[FIELDS.buffers] = { refs: [...root.buffers.map(moved), buffer] };
    const entry = { table: [{ text: METADATA_NAME }, { word: root.buffers.length }] };
    fields[FIELDS.metadata] = { refs: [...root.metadata.map(moved), entry] };
    return writeFlatBuffer({ table: fields }, MODEL_IDENTIFIER);
  };
  // What is put in front is as long wherever the rest is; its header takes the place of the old one.
  const length = write(0).length;
  const shift = length;
  const head = write(shift);
  const out = new Uint8Array(shift + model.length);
  out.set(head);
  out.set(model.subarray(HEADER), shift + HEADER);
  return out;
}

/** What the tasks ask of an image model. @param {{ mean: number, deviation: number }} pixels */
function writeMetadata({ mean, deviation }) {
  const image = { table: [{ byte: RGB }] };
  const normalization = { table: [{ floats: [mean] }, { floats: [deviation] }] };
  const input = {
    table: [
      { text: 'image' },
      undefined,
      undefined,
      { table: [{ byte: IMAGE_PROPERTIES }, image] },
      { refs: [{ table: [{ byte: NORMALIZATION }, normalization] }] },
    ],
  };
  const subgraph = { table: [undefined, undefined, { refs: [input] }] };
  return writeFlatBuffer(
    { table: [{ text: 'pose' }, undefined, undefined, { refs: [subgraph] }] },
    METADATA_IDENTIFIER,
  );
}

/** Positions of what the root table refers to. @param {Uint8Array} model */
function readRoot(model) {
  const view = new DataView(model.buffer, model.byteOffset, model.byteLength);
  const identifier = new TextDecoder().decode(model.subarray(4, HEADER));
  if (identifier !== MODEL_IDENTIFIER)
    throw new Error(`a model of TensorFlow Lite was expected, this is '${identifier}'`);
  const table = view.getUint32(0, true);
  const vtable = table - view.getInt32(table, true);
  const known = (view.getUint16(vtable, true) - 4) / 2;
  const place = (/** @type {number} */ k) => {
    const offset = k < known ? view.getUint16(vtable + 4 + 2 * k, true) : 0;
    return offset === 0 ? undefined : table + offset;
  };
  const target = (/** @type {number} */ at) => at + view.getUint32(at, true);
  const fields = Array.from({ length: FIELDS.count }, (_, k) => {
    const at = place(k);
    return at === undefined || k === FIELDS.version ? undefined : target(at);
  });
  const entries = (/** @type {number | undefined} */ vector) =>
    vector === undefined
      ? []
      : Array.from({ length: view.getUint32(vector, true) }, (_, k) => target(vector + 4 + 4 * k));
  const version = place(FIELDS.version);
  return {
    fields,
    version: version === undefined ? 0 : view.getUint32(version, true),
    buffers: entries(fields[FIELDS.buffers]),
    metadata: entries(fields[FIELDS.metadata]),
  };
}
