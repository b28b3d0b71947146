// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.proxies;

import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Finds version, type and nonce in responses as their bytes come in, and steps over the resources
 * without looking at them.
 */
final class ResponseReader {
  private static final int VERSION = 1;
  private static final int TYPE_URL = 4;
  private static final int NONCE = 5;

  private enum State {
    PREFIX,
    TAG,
    LENGTH,
    NUMBER,
    FIELD
  }

  private final boolean keepsBody;
  private final Consumer<ReceivedResponse> onResponse;
  private final byte[] prefix = new byte[5];
  private final ByteArrayOutputStream value = new ByteArrayOutputStream();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private State state = State.PREFIX;
  private int prefixFill;
  private int size;
  private int messageLeft;
  private int fieldLeft;
  private int field;
  private long varint;
  private int shift;
  private String version = "";
  private String typeUrl = "";
  private String nonce = "";

  ResponseReader(boolean keepsBody, Consumer<ReceivedResponse> onResponse) {
    this.keepsBody = keepsBody;
    this.onResponse = onResponse;
  }

  /** Takes the next bytes of the stream. */
  void read(ByteBuffer in, int length) {
    int end = in.position() + length;
    while (in.position() < end) {
      switch (state) {
        case PREFIX -> prefix(in.get());
        case TAG, LENGTH, NUMBER -> varint(in.get());
        case FIELD -> field(in, Math.min(fieldLeft, end - in.position()));
      }
      if (state != State.PREFIX && messageLeft == 0) {
        finish();
      }
    }
  }

  private void prefix(byte next) {
    prefix[prefixFill++] = next;
    if (prefixFill == prefix.length) {
      if (prefix[0] != 0) {
        throw new IllegalStateException("a compressed message (expected: none)");
      }
      prefixFill = 0;
      size = ByteBuffer.wrap(prefix).getInt(1);
      messageLeft = size;
      state = State.TAG;
    }
  }

  private void varint(byte next) {
    keep(next);
    messageLeft--;
    varint |= (long) (next & 0x7f) << shift;
    shift += 7;
    if (next >= 0) {
      int number = (int) varint;
      varint = 0;
      shift = 0;
      number(number);
    }
  }

  private void number(int number) {
    switch (state) {
      case TAG -> {
        field = WireFormat.getTagFieldNumber(number);
        state =
            switch (WireFormat.getTagWireType(number)) {
              case WireFormat.WIRETYPE_VARINT -> State.NUMBER;
              case WireFormat.WIRETYPE_LENGTH_DELIMITED -> State.LENGTH;
              default -> throw new IllegalStateException("tag: " + number);
            };
      }
      case LENGTH -> {
        fieldLeft = number;
        state = number == 0 ? State.TAG : State.FIELD;
      }
      case NUMBER -> state = State.TAG;
      case PREFIX, FIELD -> throw new IllegalStateException(state.name());
    }
  }

  private void field(ByteBuffer in, int length) {
    boolean wanted = field == VERSION || field == TYPE_URL || field == NONCE;
    if (wanted || keepsBody) {
      byte[] bytes = new byte[length];
      in.get(bytes);
      if (wanted) {
        value.writeBytes(bytes);
      }
      if (keepsBody) {
        body.writeBytes(bytes);
      }
    } else {
      in.position(in.position() + length);
    }
    fieldLeft -= length;
    messageLeft -= length;
    if (fieldLeft == 0) {
      state = State.TAG;
      if (wanted) {
        found(value.toString(StandardCharsets.UTF_8));
        value.reset();
      }
    }
  }

  private void found(String text) {
    switch (field) {
      case VERSION -> version = text;
      case TYPE_URL -> typeUrl = text;
      default -> nonce = text;
    }
  }

  private void keep(byte next) {
    if (keepsBody) {
      body.write(next);
    }
  }

  private void finish() {
    ReceivedResponse received =
        new ReceivedResponse(
            typeUrl, version, nonce, size, body.toString(StandardCharsets.ISO_8859_1));
    state = State.PREFIX;
    body.reset();
    version = "";
    typeUrl = "";
    nonce = "";
    onResponse.accept(received);
  }
}
