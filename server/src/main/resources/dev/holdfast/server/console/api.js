// SPDX-License-Identifier: Apache-2.0

/** The admin API as seen from /console/. */
const ROOT = new URL("../api/v1/", document.baseURI);
const PATIENCE_MILLIS = 20_000;

/** Why there is no answer; status is 0 if the server cannot be reached. */
export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** A path of the API from parts that may hold anything. */
export function path(...parts) {
  return parts.map(encodeURIComponent).join("/");
}

export class Api {
  #session;

  constructor(session) {
    this.#session = session;
  }

  async get(target, signal) {
    const response = await this.#send(target, { signal: limited(signal) });
    return json(response);
  }

  /** The items of a list. */
  async list(target, signal) {
    return (await this.get(target, signal)).items;
  }

  /** What is there, or null. */
  async find(target, signal) {
    try {
      return await this.get(target, signal);
    } catch (error) {
      if (error.status === 404) {
        return null;
      }
      throw error;
    }
  }

  async post(target) {
    const response = await this.#send(target, {
      method: "POST",
      signal: limited(),
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    return json(response);
  }

  /** A body that goes on; an EventSource could not show a token. */
  async stream(target, headers, signal) {
    return (await this.#send(target, { headers, signal })).body;
  }

  /** Whether the server takes a token. */
  async accepts(token) {
    try {
      await this.#send("summary", { signal: limited() }, token);
      return true;
    } catch (error) {
      if (error.status === 401) {
        return false;
      }
      throw error;
    }
  }

  async #send(target, options, token = this.#session.token) {
    const headers = new Headers(options.headers);
    if (token) {
      headers.set("Authorization", `Bearer ${token}`);
    }
    let response;
    try {
      response = await fetch(new URL(target, ROOT), { ...options, headers, cache: "no-store", credentials: "omit" });
    } catch (error) {
      if (options.signal?.aborted && options.signal.reason?.name !== "TimeoutError") {
        throw error;
      }
      throw new ApiError(0, "the server does not answer");
    }
    if (!response.ok) {
      throw new ApiError(response.status, await problem(response));
    }
    return response;
  }
}

function limited(signal) {
  const limit = AbortSignal.timeout(PATIENCE_MILLIS);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

async function json(response) {
  try {
    return await response.json();
  } catch {
    throw new ApiError(0, "the server's answer ended early");
  }
}

async function problem(response) {
  try {
    return (await response.json()).error.message;
  } catch {
    return `the server answered with status ${response.status}`;
  }
}
