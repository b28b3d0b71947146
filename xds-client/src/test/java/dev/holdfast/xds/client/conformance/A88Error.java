// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;

import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;

/** The errors of gRFC A88's table: how each is brought about, and what its text must tell. */
enum A88Error {
  CHANNEL_FAILURE(
      "xDS server " + SERVER + ": channel in TRANSIENT_FAILURE: UNAVAILABLE: no route to host") {
    @Override
    void happen(A88Scene scene) {
      scene.harness.transport().transientFailure(noRoute());
      scene.harness.settle();
    }
  },
  STREAM_FAILURE(
      "xDS server " + SERVER + ": ADS stream failed before any response: INTERNAL: boom") {
    @Override
    void happen(A88Scene scene) {
      scene.freshStream();
      scene.harness.closeStream(Status.INTERNAL.withDescription("boom"));
    }
  },
  STREAM_CLOSED("xDS server " + SERVER + ": ADS stream closed by the server before any response") {
    @Override
    void happen(A88Scene scene) {
      scene.freshStream();
      scene.harness.closeStream(Status.OK);
    }
  },
  NACK("invalid: value: too long") {
    @Override
    void happen(A88Scene scene) {
      scene.respond(response -> response.resource(A88Scene.NAME, "bad:too long"));
    }
  },
  TIMER("xDS server " + SERVER + " did not send it within ") {
    @Override
    void happen(A88Scene scene) {
      scene.silence();
    }
  },
  DELETION("does not exist: xDS server " + SERVER) {
    @Override
    void happen(A88Scene scene) {
      scene.respond(
          response ->
              scene.protocol() == AdsProtocol.DELTA ? response.removed(A88Scene.NAME) : response);
    }
  },
  TP3_NOT_FOUND("no such service in the catalogue") {
    @Override
    void happen(A88Scene scene) {
      serverSays(scene, Status.Code.NOT_FOUND);
    }
  },
  TP3_PERMISSION_DENIED("node-1 may not see team-a") {
    @Override
    void happen(A88Scene scene) {
      serverSays(scene, Status.Code.PERMISSION_DENIED);
    }
  },
  TP3_OTHER("too many subscriptions") {
    @Override
    void happen(A88Scene scene) {
      serverSays(scene, Status.Code.RESOURCE_EXHAUSTED);
    }
  };

  private final String text;

  A88Error(String text) {
    this.text = text;
  }

  abstract void happen(A88Scene scene);

  /** What a watcher must be able to read. */
  String text() {
    return text;
  }

  /** Whether it is a response that brings it. */
  boolean isResponse() {
    return switch (this) {
      case CHANNEL_FAILURE, STREAM_FAILURE, STREAM_CLOSED, TIMER -> false;
      default -> true;
    };
  }

  /** Whether the way to the server is at fault, not the resource: the cache knows nothing of it. */
  boolean isConnectivity() {
    return switch (this) {
      case CHANNEL_FAILURE, STREAM_FAILURE, STREAM_CLOSED -> true;
      default -> false;
    };
  }

  void serverSays(A88Scene scene, Status.Code code) {
    scene.respond(response -> response.error(A88Scene.NAME, code, text));
  }

  private static Status noRoute() {
    return Status.UNAVAILABLE.withDescription("no route to host");
  }
}
