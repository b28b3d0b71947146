// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.simulation;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.ResponseBuilder;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** What servers might send: good, bad, partial, broken, and mixtures of all that. */
final class RandomResponses {
  static final String GOOD = "final";

  private final RandomGenerator random;
  private final AdsProtocol protocol;
  private int count;

  record Made(ByteString bytes, String description) {}

  RandomResponses(RandomGenerator random, AdsProtocol protocol) {
    this.random = random;
    this.protocol = protocol;
  }

  Made next(FakeStream stream) {
    if (random.nextInt(25) == 0) {
      return new Made(ByteString.copyFromUtf8("\n\377"), "garbage");
    }
    TestType type = TestType.all().get(random.nextInt(4));
    String version = "v" + ++count;
    ResponseBuilder response = new ResponseBuilder(type).version(version).nonce("n" + count);
    StringBuilder description = new StringBuilder(type + " " + version);
    if (random.nextInt(25) == 0) {
      response.typeUrl("type.googleapis.com/unknown.Type");
      description.append(" of unknown type");
    }
    List<String> names = new ArrayList<>(stream.subscribed(type));
    names.add("unasked");
    if (random.nextInt(3) == 0) { // a server that states everything again, with a change or none
      names.forEach(name -> response.resource(name, random.nextInt(3) == 0 ? "x1" : "x0"));
      return new Made(response.build(protocol), description + " all good");
    }
    for (String name : names) {
      add(response, name, description);
    }
    return new Made(response.build(protocol), description.toString());
  }

  private void add(ResponseBuilder response, String name, StringBuilder description) {
    int choice = random.nextInt(14);
    switch (choice) {
      case 0, 1, 2, 3 -> response.resource(name, "x" + random.nextInt(3));
      case 4 -> response.resource(name, "bad:reason " + random.nextInt(2) + "|and more");
      case 5 -> response.resource(name, "throw:oops");
      case 6 -> response.wrapped(name, name, "x" + random.nextInt(3));
      case 7 -> response.garbage();
      case 8 -> response.entry(name, Any.getDefaultInstance());
      case 9 -> response.removed(name);
      case 10 -> response.error(name, 1 + random.nextInt(17), "server says " + random.nextInt(2));
      case 11 -> {
        response.resource(name, "x0");
        response.error(name, 5, "gone");
      }
      case 12 -> response.error(ResourceError.getDefaultInstance());
      default -> {}
    }
    description.append(' ').append(name).append(':').append(choice);
  }

  /** Everything that is asked for, valid. */
  ByteString good(TestType type, FakeStream stream) {
    ResponseBuilder response = new ResponseBuilder(type).version(GOOD).nonce("n" + ++count);
    stream.subscribed(type).forEach(name -> response.resource(name, GOOD));
    return response.build(protocol);
  }
}
