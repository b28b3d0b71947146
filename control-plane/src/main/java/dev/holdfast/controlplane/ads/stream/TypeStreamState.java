// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one type on one stream. An event yields the next state and the actions to perform; a
 * dash keeps the state and does nothing.
 *
 * <pre>
 *   state            | REQUEST          | RESUME           | SEND            | ACK                | NACK                   | TIMEOUT
 *   AwaitingRequest  | FirstResponseDue | Idle: RECOGNISE  | illegal         | -                  | -                      | -
 *   FirstResponseDue | -                | -                | InFlight: MARK  | -                  | -                      | -
 *   Idle             | -                | -                | InFlight: MARK  | -                  | -                      | -
 *   InFlight         | -                | -                | illegal         | Idle: APPLY        | Idle: ATTRIBUTE        | Overdue: DOUBT
 *   Overdue          | -                | -                | InFlight: MARK  | Idle: TRUST, APPLY | Idle: TRUST, ATTRIBUTE | -
 * </pre>
 *
 * <ul>
 *   <li>REQUEST: the proxy subscribed. RESUME: its first request names versions that it holds from
 *       an earlier stream; versions in later requests say nothing new.
 *   <li>SEND: a response goes out. There is at most one in flight per stream and type; an overdue
 *       response is replaced by one that repeats its names.
 *   <li>ACK, NACK: the proxy answers the latest response, identified by its nonce. A request with
 *       any other nonce is no answer.
 *   <li>TIMEOUT: the response has been in flight for {@link InFlightResponse#timeout}.
 * </ul>
 */
sealed interface TypeStreamState {
  /** The proxy has not sent a request for the type yet. */
  TypeStreamState AWAITING_REQUEST = new AwaitingRequest();

  /** The proxy requested the type; a wildcard subscription gets a response even if it is empty. */
  TypeStreamState FIRST_RESPONSE_DUE = new FirstResponseDue();

  /** The proxy has answered every response, or resumed. */
  TypeStreamState IDLE = new Idle();

  /** What {@link TypeStream} has to do after a transition. */
  enum Action {
    /** Work out which resources the proxy holds from the versions that it names. */
    RECOGNISE,
    /** Mark the names of the response as sent. */
    MARK,
    /** Mark the names of the response as uncertain. */
    DOUBT,
    /** The names of the response are not uncertain any more. */
    TRUST,
    /** The proxy runs the resources of the response. */
    APPLY,
    /** Find the resources of the response that the proxy rejected. */
    ATTRIBUTE
  }

  /** The result of an event. */
  record Transition(TypeStreamState next, List<Action> actions) {
    static Transition stay(TypeStreamState state) {
      return new Transition(state, List.of());
    }

    static Transition to(TypeStreamState next, Action... actions) {
      return new Transition(next, List.of(actions));
    }
  }

  Transition onRequest();

  Transition onResume();

  /**
   * @throws IllegalStateException if no response may be sent now
   */
  Transition onSend(InFlightResponse response);

  Transition onAck();

  Transition onNack();

  Transition onTimeout();

  /** Whether a response may be sent. */
  boolean maySend();

  /** The latest response if the proxy has not answered it. */
  @Nullable InFlightResponse unanswered();

  /** No response has been sent, or the proxy has answered the latest one. */
  abstract sealed class NothingInFlight implements TypeStreamState {
    @Override
    public final Transition onAck() {
      return Transition.stay(this);
    }

    @Override
    public final Transition onNack() {
      return Transition.stay(this);
    }

    @Override
    public final Transition onTimeout() {
      return Transition.stay(this);
    }

    @Override
    public final @Nullable InFlightResponse unanswered() {
      return null;
    }
  }

  /** See {@link #AWAITING_REQUEST}. */
  final class AwaitingRequest extends NothingInFlight {
    private AwaitingRequest() {}

    @Override
    public Transition onRequest() {
      return Transition.to(FIRST_RESPONSE_DUE);
    }

    @Override
    public Transition onResume() {
      return Transition.to(IDLE, Action.RECOGNISE);
    }

    @Override
    public Transition onSend(InFlightResponse response) {
      throw new IllegalStateException("the proxy has not requested the type");
    }

    @Override
    public boolean maySend() {
      return false;
    }
  }

  /** See {@link #FIRST_RESPONSE_DUE}. */
  final class FirstResponseDue extends NothingInFlight {
    private FirstResponseDue() {}

    @Override
    public Transition onRequest() {
      return Transition.stay(this);
    }

    @Override
    public Transition onResume() {
      return Transition.stay(this);
    }

    @Override
    public Transition onSend(InFlightResponse response) {
      return Transition.to(new InFlight(response), Action.MARK);
    }

    @Override
    public boolean maySend() {
      return true;
    }
  }

  /** See {@link #IDLE}. */
  final class Idle extends NothingInFlight {
    private Idle() {}

    @Override
    public Transition onRequest() {
      return Transition.stay(this);
    }

    @Override
    public Transition onResume() {
      return Transition.stay(this);
    }

    @Override
    public Transition onSend(InFlightResponse response) {
      return Transition.to(new InFlight(response), Action.MARK);
    }

    @Override
    public boolean maySend() {
      return true;
    }
  }

  /** The proxy has not answered a response, and other resources wait for the answer. */
  record InFlight(InFlightResponse unanswered) implements TypeStreamState {
    @Override
    public Transition onRequest() {
      return Transition.stay(this);
    }

    @Override
    public Transition onResume() {
      return Transition.stay(this);
    }

    @Override
    public Transition onSend(InFlightResponse response) {
      throw new IllegalStateException("a response is in flight");
    }

    @Override
    public Transition onAck() {
      return Transition.to(IDLE, Action.APPLY);
    }

    @Override
    public Transition onNack() {
      return Transition.to(IDLE, Action.ATTRIBUTE);
    }

    @Override
    public Transition onTimeout() {
      return Transition.to(new Overdue(unanswered), Action.DOUBT);
    }

    @Override
    public boolean maySend() {
      return false;
    }
  }

  /** The proxy has not answered a response in time. Nothing waits for the answer any more. */
  record Overdue(InFlightResponse unanswered) implements TypeStreamState {
    @Override
    public Transition onRequest() {
      return Transition.stay(this);
    }

    @Override
    public Transition onResume() {
      return Transition.stay(this);
    }

    @Override
    public Transition onSend(InFlightResponse response) {
      return Transition.to(new InFlight(response), Action.MARK);
    }

    @Override
    public Transition onAck() {
      return Transition.to(IDLE, Action.TRUST, Action.APPLY);
    }

    @Override
    public Transition onNack() {
      return Transition.to(IDLE, Action.TRUST, Action.ATTRIBUTE);
    }

    @Override
    public Transition onTimeout() {
      return Transition.stay(this);
    }

    @Override
    public boolean maySend() {
      return true;
    }
  }
}
