// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.Status;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.config.core.v3.ControlPlane;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import io.envoyproxy.envoy.service.discovery.v3.ResourceName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ResponseTest {
  private static final ByteString URL = ByteString.copyFromUtf8("type.googleapis.com/T");
  private static final Any ANY =
      Any.newBuilder().setTypeUrlBytes(URL).setValue(ByteString.copyFromUtf8("body")).build();
  private static final ResourceError ERROR =
      ResourceError.newBuilder()
          .setResourceName(ResourceName.newBuilder().setName("gone"))
          .setErrorDetail(Status.newBuilder().setCode(5).setMessage("no such thing"))
          .build();

  @Test
  void aSotwResponseIsCutIntoItsParts() throws IOException {
    DiscoveryResponse message =
        DiscoveryResponse.newBuilder()
            .setVersionInfo("7")
            .setTypeUrl("type.googleapis.com/T")
            .setNonce("A")
            .addResources(ANY)
            .addResources(Any.getDefaultInstance())
            .setCanary(true)
            .setControlPlane(ControlPlane.newBuilder().setIdentifier("cp"))
            .addResourceErrors(ERROR)
            .build();

    Response response = Response.parse(AdsProtocol.SOTW, message.toByteString());

    assertThat(response.version()).isEqualTo("7");
    assertThat(response.typeUrl()).isEqualTo("type.googleapis.com/T");
    assertThat(response.nonce()).isEqualTo("A");
    assertThat(entries(response)).containsExactly(ANY.toByteString(), ByteString.EMPTY);
    assertThat(response.removed()).isEmpty();
    assertThat(response.errors()).hasSize(1);
    assertThat(response.error(0)).isEqualTo(ERROR);
    assertThat(response.unpack(0, URL).bytes()).isEqualTo(ByteString.copyFromUtf8("body"));
  }

  @Test
  void aDeltaResponseIsCutIntoItsParts() throws IOException {
    Resource wrapper =
        Resource.newBuilder().setName("foo").setVersion("1").setResource(ANY).build();
    DeltaDiscoveryResponse message =
        DeltaDiscoveryResponse.newBuilder()
            .setSystemVersionInfo("7")
            .setTypeUrl("type.googleapis.com/T")
            .setNonce("A")
            .addResources(wrapper)
            .addRemovedResources("old")
            .addRemovedResourceNames(ResourceName.newBuilder().setName("older"))
            .setControlPlane(ControlPlane.newBuilder().setIdentifier("cp"))
            .addResourceErrors(ERROR)
            .build();

    Response response = Response.parse(AdsProtocol.DELTA, message.toByteString());

    assertThat(response.version()).isEqualTo("7");
    assertThat(response.typeUrl()).isEqualTo("type.googleapis.com/T");
    assertThat(response.nonce()).isEqualTo("A");
    assertThat(entries(response)).containsExactly(wrapper.toByteString());
    assertThat(response.removed()).containsExactly("old", "older");
    assertThat(response.error(0)).isEqualTo(ERROR);
    assertThat(response.unpack(0, URL).name()).isEqualTo("foo");
    assertThat(response.unpack(0, URL).version()).isEqualTo("1");
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  void nothingAtAllIsAResponseWithoutAnything(AdsProtocol protocol) throws IOException {
    Response response = Response.parse(protocol, ByteString.EMPTY);

    assertThat(response.typeUrl()).isEmpty();
    assertThat(entries(response)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  void anEntryThatIsBrokenInsideDoesNotBreakTheResponse(AdsProtocol protocol) throws IOException {
    ByteString broken = bytes(0x12, 3, 0x0a, 0x7f, 1); // field 2: three bytes that are no message

    Response response = Response.parse(protocol, broken);

    assertThat(entries(response)).hasSize(1);
    assertThat(response.unpack(0, URL).fault()).contains("cannot be decoded");
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  void fieldsOfLaterVersionsAreSkipped(AdsProtocol protocol) throws IOException {
    ByteString message =
        DiscoveryResponse.newBuilder()
            .setNonce("A")
            .build()
            .toByteString()
            .concat(bytes(0xa0, 0x06, 1)) // field 100, a number
            .concat(bytes(0xa3, 0x06, 0x08, 1, 0xa4, 0x06)); // field 100, a group

    assertThat(Response.parse(protocol, message).nonce()).isEqualTo("A");
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  void bytesThatAreNoMessageAreNoResponse(AdsProtocol protocol) {
    for (ByteString broken :
        new ByteString[] {
          bytes(0x12, 5, 1), // cut short
          bytes(0x00), // no field has number 0
          bytes(0x22, 1, 0xff), // type_url that is not UTF-8
          bytes(0x2a, 1, 0xff), // nonce that is not UTF-8
          bytes(0x0c), // the end of a group that never began
        }) {
      assertThatThrownBy(() -> Response.parse(protocol, broken))
          .as(broken.toString())
          .isInstanceOf(IOException.class);
    }
  }

  private static ByteString bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return ByteString.copyFrom(bytes);
  }

  private static List<ByteString> entries(Response response) {
    List<ByteString> entries = new ArrayList<>();
    for (int i = 0; i < response.packed().size(); i++) {
      entries.add(response.packed().get(i));
    }
    return entries;
  }
}
