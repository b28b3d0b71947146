// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import org.junit.jupiter.api.Test;

class RawResourceTest {
  private static final ByteString URL = ByteString.copyFromUtf8("type.googleapis.com/T");
  private static final ByteString BODY = ByteString.copyFromUtf8("body");
  private static final Any ANY = Any.newBuilder().setTypeUrlBytes(URL).setValue(BODY).build();
  private static final Resource WRAPPER =
      Resource.newBuilder()
          .setName("foo")
          .setVersion("3")
          .addAliases("alias")
          .setTtl(Duration.newBuilder().setSeconds(1))
          .setResource(ANY)
          .build();

  @Test
  void aPlainEntryHasNeitherNameNorVersion() {
    assertThat(RawResource.fromAny(ANY.toByteString(), URL))
        .isEqualTo(new RawResource(null, "", BODY, null));
  }

  @Test
  void aWrapperInAnEntrySaysNameAndVersion() {
    assertThat(RawResource.fromAny(Any.pack(WRAPPER).toByteString(), URL))
        .isEqualTo(new RawResource("foo", "3", BODY, null));
  }

  @Test
  void aBareWrapperIsTheSame() {
    assertThat(RawResource.fromWrapper(WRAPPER.toByteString(), URL))
        .isEqualTo(new RawResource("foo", "3", BODY, null));
  }

  @Test
  void anEmptyNameIsNone() {
    ByteString wrapper = Resource.newBuilder().setResource(ANY).build().toByteString();

    assertThat(RawResource.fromWrapper(wrapper, URL).name()).isNull();
  }

  @Test
  void aWrapperAroundNothingHasNoBytesAndNoFault() {
    ByteString wrapper =
        Resource.newBuilder().setName("foo").setVersion("3").build().toByteString();

    assertThat(RawResource.fromWrapper(wrapper, URL))
        .isEqualTo(new RawResource("foo", "3", null, null));
  }

  @Test
  void anEmptyResourceIsNotTheSameAsNone() {
    Any empty = Any.newBuilder().setTypeUrlBytes(URL).build();

    assertThat(RawResource.fromAny(empty.toByteString(), URL).bytes()).isEqualTo(ByteString.EMPTY);
  }

  @Test
  void aWrongTypeIsAFaultThatSaysBoth() {
    Any wrong = Any.newBuilder().setTypeUrl("type.googleapis.com/U").setValue(BODY).build();

    assertThat(RawResource.fromAny(wrong.toByteString(), URL))
        .isEqualTo(
            new RawResource(
                null,
                "",
                null,
                "incorrect resource type \"type.googleapis.com/U\" (should be"
                    + " type.googleapis.com/T)"));
  }

  @Test
  void aWrongTypeInAWrapperKeepsTheName() {
    Any wrong = Any.newBuilder().setTypeUrl("type.googleapis.com/U").setValue(BODY).build();
    ByteString wrapper =
        Resource.newBuilder().setName("foo").setResource(wrong).build().toByteString();

    RawResource raw = RawResource.fromWrapper(wrapper, URL);

    assertThat(raw.name()).isEqualTo("foo");
    assertThat(raw.fault()).contains("incorrect resource type");
  }

  @Test
  void anUndecodableEntryIsAFault() {
    ByteString garbage = ByteString.copyFrom(new byte[] {0x0a, 0x7f, 1});

    RawResource raw = RawResource.fromAny(garbage, URL);

    assertThat(raw.name()).isNull();
    assertThat(raw.bytes()).isNull();
    assertThat(raw.fault()).startsWith("cannot be decoded: ");
  }

  @Test
  void aNameThatWasReadBeforeTheWrapperBrokeIsKept() {
    ByteString cut =
        Resource.newBuilder()
            .setName("foo")
            .build()
            .toByteString()
            .concat(ByteString.copyFrom(new byte[] {0x12, 0x7f, 1}));

    RawResource raw = RawResource.fromWrapper(cut, URL);

    assertThat(raw.name()).isEqualTo("foo");
    assertThat(raw.fault()).startsWith("wrapper cannot be decoded: ");
  }

  @Test
  void aStrayEndOfAGroupIsAFault() {
    ByteString stray = ANY.toByteString().concat(ByteString.copyFrom(new byte[] {0x0c}));

    assertThat(RawResource.fromAny(stray, URL).fault()).startsWith("cannot be decoded: ");
    assertThat(RawResource.fromWrapper(stray, URL).fault()).startsWith("wrapper cannot be decoded");
  }

  @Test
  void aTypeUrlThatIsNotTextIsAFault() {
    ByteString any = ByteString.copyFrom(new byte[] {0x0a, 1, (byte) 0xff});

    assertThat(RawResource.fromAny(any, URL).fault()).contains("type_url is not UTF-8");
  }
}
