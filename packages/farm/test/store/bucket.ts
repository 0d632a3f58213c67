/** As much of the protocol of S3 as a store uses, in memory, with `If-None-Match` as the real ones have it. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Bucket {
  readonly objects: Map<string, Buffer>;
  readonly env: Record<string, string>;
  /** The next requests end in a fault of the server. */
  failNext(count: number): void;
  /** Requests without a signature. */
  unsigned(): number;
  close(): void;
}

export async function startBucket(): Promise<Bucket> {
  const objects = new Map<string, Buffer>();
  let failures = 0;
  let unsigned = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://bucket').pathname);
    if (!/^AWS4-HMAC-SHA256 Credential=key\//.test(request.headers.authorization ?? '')) unsigned++;
    const answer = (status: number, body?: Buffer) =>
      response
        .writeHead(status, { 'content-length': body?.length ?? 0 })
        .end(request.method === 'HEAD' ? undefined : body);
    if (failures > 0) {
      failures--;
      return answer(503);
    }
    if (request.method === 'PUT') {
      if (request.headers['if-none-match'] === '*' && objects.has(path)) return answer(412);
      const [sent, expected] = [Buffer.concat(chunks), request.headers['x-amz-content-sha256']];
      const known = expected !== undefined && expected !== 'UNSIGNED-PAYLOAD';
      if (known && createHash('sha256').update(sent).digest('hex') !== expected)
        return answer(400, Buffer.from('XAmzContentSHA256Mismatch'));
      objects.set(path, Buffer.concat(chunks));
      return answer(200);
    }
    if (request.method === 'DELETE') {
      objects.delete(path);
      return answer(204);
    }
    const found = objects.get(path);
    return found ? answer(200, found) : answer(404);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    objects,
    env: { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` },
    failNext: (count) => {
      failures = count;
    },
    unsigned: () => unsigned,
    close: () => server.close(),
  };
}
