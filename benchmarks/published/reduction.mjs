/**
 * E_RMS of rigs whose weights were reduced: Le, Deng. Mesh animation decomposition and compression. 2014, Table 3. The
 * data that are at hand. `dense` is the model with all weights that the reductions were compared with, `direct` one that
 * was fitted with the reduced number of weights to begin with.
 */
export const REDUCTIONS = [
  row('horse-gallop', 15, 8, 4, [9.5, 10.3, 7, 8.2], [2.6, 2.3], 1.9, 3.2),
  row('horse-gallop', 15, 'dense', 4, [20.7, 23.5, 10.1, 11.5], [2.4, 2], 1.9, 3.2),
  row('horse-gallop', 15, 'dense', 8, [5.9, 6.9, 3.9, 4.7], [1.9, 1.9], 1.9, 2.5),
  row('horse-gallop', 30, 8, 4, [5.4, 5.7, 3.8, 4.5], [1.2, 1], 0.5, 1.8),
  row('horse-gallop', 30, 'dense', 4, [18.1, 20.8, 12.3, 14.7], [3.4, 1.6], 0.5, 1.8),
  row('horse-gallop', 30, 'dense', 8, [9.6, 11.6, 5.3, 6.7], [1.6, 0.8], 0.5, 0.9),
  row('elephant-gallop', 15, 8, 4, [11.5, 13.8, 9.1, 12.4], [2.1, 1.9], 1.6, 3.2),
  row('elephant-gallop', 15, 'dense', 4, [18.7, 21.2, 13.7, 16.9], [1.8, 1.6], 1.6, 3.2),
  row('elephant-gallop', 15, 'dense', 8, [9, 10.9, 5.2, 7.1], [1.7, 1.6], 1.6, 2),
  row('elephant-gallop', 30, 8, 4, [4.5, 5.4, 3.3, 4.8], [1, 0.8], 0.4, 1.5),
  row('elephant-gallop', 30, 'dense', 4, [13, 15.2, 9.1, 11.3], [1.5, 0.7], 0.4, 1.5),
  row('elephant-gallop', 30, 'dense', 8, [6.6, 8.3, 4.2, 5.8], [0.7, 0.5], 0.4, 0.9),
  row('samba', 10, 8, 4, [10.6, 11.5, 9.4, 10.5], [5, 4.8], 4.8, 5.7),
  row('samba', 10, 'dense', 4, [11.8, 12.7, 10.5, 11.6], [4.8, 4.7], 4.8, 5.7),
  row('samba', 10, 'dense', 8, [5.1, 5.3, 4.8, 5], [4.8, 4.8], 4.8, 4.9),
  row('samba', 20, 8, 4, [5.7, 6.5, 5, 5.8], [2.3, 2.1], 1.9, 2.7),
  row('samba', 20, 'dense', 4, [7.6, 8.3, 6.8, 7.6], [2.4, 2], 1.9, 2.7),
  row('samba', 20, 'dense', 8, [3.8, 4.4, 3.1, 3.7], [2, 1.9], 1.9, 2.2),
];

function row(data, bones, from, to, [kLargest, smooth, geometric, poisson], [layers, layersOnShapes], dense, direct) {
  const oneLayer = { 'k-largest': kLargest, smooth, geometric, poisson };
  return { data, bones, from, to, oneLayer, twoLayer: { weights: layers, shapes: layersOnShapes }, dense, direct };
}
