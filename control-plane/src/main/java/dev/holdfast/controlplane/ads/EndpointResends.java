// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Endpoints that a stream has to carry once more. A cluster that is new or changed waits for its
 * endpoints, even if the proxy has them already, for an earlier version or for another cluster. In
 * Delta it does not ask for them; in SotW it asks without saying for which, or together with
 * something else. So nobody waits to be asked.
 */
final class EndpointResends {
  private final AdsStream stream;

  /** Clusters changed: a SotW proxy asks again for endpoints that were sent with them. */
  private boolean mayAskAgain;

  /** Due before the proxy, which came back, has said which endpoints it has. */
  private final SortedSet<String> early = new TreeSet<>();

  private boolean returned;

  EndpointResends(AdsStream stream) {
    this.stream = stream;
  }

  /** The proxy came back with something. Others ask for endpoints when they have clusters. */
  void returned() {
    returned = true;
  }

  /** A cluster goes out. */
  void sent(Resource cluster) {
    String name = stream.server().edsNames().of(cluster);
    if (name == null) {
      return;
    }
    TypeStream endpoints = stream.typeStream(ResourceType.ENDPOINTS);
    if (endpoints != null) {
      resend(name, endpoints);
    } else if (returned) {
      early.add(name);
    }
  }

  /** The proxy said what it has of a type: that is no answer to what its clusters wait for. */
  void resumed(TypeStream typeStream) {
    if (typeStream.type() == ResourceType.ENDPOINTS) {
      early.forEach(name -> resend(name, typeStream));
      early.clear();
    }
  }

  private void resend(String name, TypeStream endpoints) {
    endpoints.resend(name);
    mayAskAgain |= stream.protocol() == Protocol.SOTW && endpoints.subscription().named(name);
  }

  /** The proxy asks for what it has. */
  void askedAgain(TypeStream typeStream) {
    if (typeStream.type() != ResourceType.ENDPOINTS) {
      return;
    }
    if (!mayAskAgain && typeStream.inFlight() == null) {
      typeStream.askedAgain();
    }
    mayAskAgain = false;
  }
}
